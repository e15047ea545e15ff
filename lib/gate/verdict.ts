import type { Limited, PassFacts, Returned } from './gate-event.js';
import { amend } from './gate-record.js';
import type { GateRecord } from './gate-record.js';
import { isReleasing, openState } from './gate-state.js';
import type { GateSettings, GateState, HoldCause } from './gate-state.js';
import { glidingAfter } from './glide.js';
import { held, limitedProbeHintMs, ownBackoffMs, rollOf, spreadMs } from './hold.js';
import { rateAfterLimit } from './lesson.js';
import { quotasAfter, spentQuota } from './quota.js';
import { concluded, isTelling, moreAccepted, prolonged } from './rate.js';
import type { LearnedRate } from './rate.js';
import { paidAfterAccept } from './release.js';
import { glideAccepted } from './step.js';

/** A pass given back with an answer that is no limit: only accepts of this epoch prove anything. */
export function returned(before: GateRecord, event: Returned, settings: GateSettings): GateRecord {
  const gate = given(before, event);
  switch (event.answer) {
    case 'accepted':
      return event.pass.epoch === gate.epoch ? accepted(gate, event) : acceptedLate(gate, event.pass);
    case 'failed':
      return event.pass.epoch === gate.epoch ? failed(gate, event, settings) : gate;
    case 'unjudged':
      return isProbe(gate, event.pass) ? withoutLease(gate) : gate;
  }
}

/** A limit of any epoch holds the gate at least until receipt plus its hint. */
export function limited(before: GateRecord, event: Limited, settings: GateSettings): GateRecord {
  const { pass, receivedMonoMs } = event;
  const isLimitedProbe = isProbe(before, pass);
  const back = given(before, event);
  const limitedProbes = before.limitedProbes + (isLimitedProbe ? 1 : 0);
  const roll = rollOf(before, event.roll);
  const hint = hintOf(event, back);
  const holdMs = holdMsOf(hint.ms, { limitedProbes: isLimitedProbe ? limitedProbes : 0, roll, settings });
  const lastHintMs = hint.ms ?? settings.backoffMs(1);
  const untilMonoMs = receivedMonoMs + holdMs;
  const askedMonoMs = hint.ms === undefined ? undefined : receivedMonoMs + hint.ms;
  return amend(held(back, { untilMonoMs, askedMonoMs, because: hint.because, roll }), {
    limitedProbes,
    failures: isLimitedProbe ? 0 : before.failures,
    lastHintMs,
    rate: rateAfter(before, event, lastHintMs),
  });
}

interface HintFacts {
  readonly ms: number | undefined;
  readonly because: HoldCause;
}

/** What the server asks for; else the end of a quota that is spent by its own count; else nothing. */
function hintOf({ hintMs, receivedMonoMs }: Limited, { quotas, inFlight }: GateRecord): HintFacts {
  if (hintMs !== undefined) return { ms: hintMs, because: 'hint' };
  const spent = spentQuota(quotas, receivedMonoMs, inFlight);
  if (spent === undefined) return { ms: undefined, because: 'own-backoff' };
  const { renewedMonoMs, untilMonoMs } = spent;
  const endMonoMs = renewedMonoMs > receivedMonoMs ? renewedMonoMs : untilMonoMs;
  return { ms: endMonoMs - receivedMonoMs, because: 'quota-spent' };
}

function rateAfter(before: GateRecord, event: Limited, hintMs: number): LearnedRate | undefined {
  const { pass, receivedMonoMs } = event;
  if (pass?.epoch !== before.epoch) return before.rate;
  if (!isProbe(before, pass)) return rateAfterLimit(before, event.moment, hintMs);
  return before.rate && prolonged(before.rate, receivedMonoMs + hintMs);
}

interface HoldFacts {
  /** 0: the answer is not that of a probe. */
  readonly limitedProbes: number;
  readonly roll: number;
  readonly settings: GateSettings;
}

function holdMsOf(hintMs: number | undefined, { limitedProbes, roll, settings }: HoldFacts): number {
  const ownMs = ownBackoffMs(Math.max(1, limitedProbes), roll, settings);
  if (hintMs === undefined) return ownMs;
  const boundedMs = Math.min(hintMs, settings.maxHoldMs);
  if (limitedProbes === 0) return spreadMs(boundedMs, roll, settings);
  return Math.max(spreadMs(limitedProbeHintMs(boundedMs, limitedProbes), roll, settings), ownMs);
}

/** The pass back, and what its answer says whatever the epoch: how long it took, and what is left of quotas. */
function given(gate: GateRecord, event: Returned | Limited): GateRecord {
  const { pass, moment, receivedMonoMs, quota } = event;
  if (pass === undefined) return gate;
  const counts = pass.epoch === gate.epoch && pass.stalls === gate.stalls;
  const inFlight = gate.inFlight - 1;
  const { sentMonoMs } = pass;
  const tookMs = Math.max(0, receivedMonoMs - sentMonoMs);
  const { smoothedMs = tookMs, quotas, share } = gate;
  const isAccepted = event.kind === 'returned' && event.answer === 'accepted';
  return amend(gate, {
    inFlight,
    inFlightOfEpoch: gate.inFlightOfEpoch - (counts ? 1 : 0),
    movedMonoMs: moment.nowMonoMs,
    smoothedMs: isAccepted ? smoothedMs + SMOOTHING * (tookMs - smoothedMs) : gate.smoothedMs,
    quotas: quota
      ? quotasAfter(quotas, { news: quota, receivedMonoMs, sentMonoMs, inFlight, share })
      : quotas,
  });
}

function isProbe({ state, epoch }: GateRecord, pass: PassFacts | undefined): boolean {
  return (
    state.kind === 'probing' &&
    state.leaseUntilMonoMs !== undefined &&
    pass?.epoch === epoch &&
    pass.lease === state.leases
  );
}

function withoutLease(gate: GateRecord): GateRecord {
  const { state } = gate;
  return state.kind === 'probing' ? amend(gate, { state: { ...state, leaseUntilMonoMs: undefined } }) : gate;
}

function accepted(gate: GateRecord, event: Returned): GateRecord {
  const { state, rate } = gate;
  const unproven = gate.unproven && !event.pass.fresh;
  if (state.kind !== 'probing') {
    const accepts = state.kind === 'open' ? gate.accepts : gate.accepts + 1;
    return amend(gate, { state: stateAfterAccept(gate, event), failures: 0, unproven, accepts });
  }
  if (!isProbe(gate, event.pass)) return gate;
  return amend(gate, {
    state: releasing(gate, event, state.sinceMonoMs),
    rate: rate && isTelling(rate) ? concluded(rate) : undefined,
    ...{ failures: 0, limitedProbes: 0, unproven },
  });
}

/** Proves nothing of the present; but the epoch that met the limit was accepted one more. */
function acceptedLate(gate: GateRecord, { epoch }: PassFacts): GateRecord {
  const rate = gate.rate && moreAccepted(gate.rate, epoch, 1 / gate.share);
  return rate === gate.rate ? gate : amend(gate, { rate, accepts: gate.accepts + 1 });
}

function stateAfterAccept(gate: GateRecord, { moment }: Returned): GateState {
  const { state } = gate;
  // Of all that share the gate, as far as this client can tell: its own are a part.
  const one = 1 / gate.share;
  switch (state.kind) {
    case 'open': {
      const { sinceMonoMs, accepted } = state.rush;
      const rush = { sinceMonoMs, accepted: accepted + one };
      return openState(paidAfterAccept(gate, state, moment), state.accepted + one, rush);
    }
    case 'ramping':
      return { ...state, accepted: state.accepted + one };
    case 'gliding':
      return glideAccepted(gate, state, moment);
    case 'held':
    case 'asking':
    case 'probing':
      return state;
  }
}

/** After a probe that was accepted: by what was learned, where that is fresh, else in proportion to what is proved. */
function releasing({ rate, share }: GateRecord, { moment, pass }: Returned, sinceMonoMs: number): GateState {
  const { nowMonoMs } = moment;
  if (rate !== undefined && isTelling(rate) && nowMonoMs < rate.freshUntilMonoMs) {
    return glidingAfter({ sinceMonoMs, sentMonoMs: pass.sentMonoMs, share }, rate, moment);
  }
  return { kind: 'ramping', sinceMonoMs, accepted: 1, nextMonoMs: nowMonoMs };
}

/** Touches no open gate; a probe that fails, and the third failure in a row of a release, hold for own backoff. */
function failed(
  gate: GateRecord,
  { pass, receivedMonoMs, roll }: Returned,
  settings: GateSettings,
): GateRecord {
  const failures = gate.failures + 1;
  const isOfProbe = isProbe(gate, pass);
  if (!isOfProbe && !isReleasing(gate.state)) return gate;
  if (!isOfProbe && failures < FAILURES_IN_A_ROW) return amend(gate, { failures });
  const after = isOfProbe ? { failures, limitedProbes: 0 } : { failures: 1 };
  const untilMonoMs = receivedMonoMs + ownBackoffMs(after.failures, roll, settings);
  return held(amend(gate, after), { untilMonoMs, because: isOfProbe ? 'own-backoff' : 'failures', roll });
}

const SMOOTHING = 0.2;
const FAILURES_IN_A_ROW = 3;
