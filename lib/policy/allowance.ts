/** How many re-sends after failures the operations of a client may share. */
export interface AllowanceTerms {
  readonly start: number;
  readonly perExchange: number;
  readonly perSecond: number;
  readonly max: number;
}

export interface Allowance {
  readonly tokens: number;
  readonly atMonoMs: number;
}

export function fullAllowance(terms: AllowanceTerms, nowMonoMs: number): Allowance {
  return { tokens: terms.start, atMonoMs: nowMonoMs };
}

/** What is there now, after the passing of time. */
export function refilled(allowance: Allowance, terms: AllowanceTerms, nowMonoMs: number): Allowance {
  const earned = ((nowMonoMs - allowance.atMonoMs) / 1000) * terms.perSecond;
  return { tokens: Math.min(terms.max, allowance.tokens + Math.max(0, earned)), atMonoMs: nowMonoMs };
}

/** After the first exchange of an operation. */
export function earned(allowance: Allowance, terms: AllowanceTerms): Allowance {
  return { ...allowance, tokens: Math.min(terms.max, allowance.tokens + terms.perExchange) };
}

export function isEmpty(allowance: Allowance): boolean {
  return allowance.tokens < 1;
}

/** After one re-send. */
export function spent(allowance: Allowance): Allowance {
  return { ...allowance, tokens: allowance.tokens - 1 };
}
