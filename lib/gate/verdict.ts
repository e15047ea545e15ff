import type { Limited, PassFacts, Returned } from './gate-event.js';
import { amend } from './gate-record.js';
import type { GateRecord } from './gate-record.js';
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
  const isLimitedProbe = pass !== undefined && isProbe(before, pass);
  const back = pass === undefined ? before : given(before, { ...event, pass });
  const limitedProbes = isLimitedProbe ? before.limitedProbes + 1 : before.limitedProbes;
  const roll = rollOf(before, event.roll);
  const hint = hintOf(event, back);
  const holdMs = holdMsOf(hint.ms, { limitedProbes: isLimitedProbe ? limitedProbes : 0, roll, settings });
  const lastHintMs = hint.ms ?? settings.backoffMs(1);
  return amend(held(back, { untilMonoMs: receivedMonoMs + holdMs, because: hint.because, roll }), {
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

type Given = Pick<Returned, 'pass' | 'moment' | 'receivedMonoMs' | 'quota'> & {
  readonly answer?: Returned['answer'];
};

/** The pass back, and what its answer says whatever the epoch: how long it took, and what is left of quotas. */
function given(gate: GateRecord, { answer, pass, moment, receivedMonoMs, quota }: Given): GateRecord {
  const counts = pass.epoch === gate.epoch && pass.stalls === gate.stalls;
  const inFlight = gate.inFlight - 1;
  const { sentMonoMs } = pass;
  return amend(gate, {
    inFlight,
    inFlightOfEpoch: counts ? gate.inFlightOfEpoch - 1 : gate.inFlightOfEpoch,
    movedMonoMs: moment.nowMonoMs,
    smoothedMs:
      answer === 'accepted' ? smoothed(gate, Math.max(0, receivedMonoMs - sentMonoMs)) : gate.smoothedMs,
    quotas:
      quota === undefined
        ? gate.quotas
        : quotasAfter(gate.quotas, { news: quota, receivedMonoMs, sentMonoMs, inFlight, share: gate.share }),
  });
}

function smoothed({ smoothedMs }: GateRecord, tookMs: number): number {
  return smoothedMs === undefined ? tookMs : (1 - SMOOTHING) * smoothedMs + SMOOTHING * tookMs;
}

function isProbe({ state, epoch }: GateRecord, pass: PassFacts): boolean {
  return (
    state.kind === 'probing' &&
    state.leaseUntilMonoMs !== undefined &&
    pass.epoch === epoch &&
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
      const { rush, accepted } = state;
      return {
        kind: 'open',
        accepted: accepted + one,
        paidUntilMonoMs: paidAfterAccept(gate, state, moment),
        rush: { sinceMonoMs: rush.sinceMonoMs, accepted: rush.accepted + one },
      };
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
  const { kind } = gate.state;
  const failures = gate.failures + 1;
  if (kind === 'probing') {
    if (!isProbe(gate, pass)) return gate;
    const untilMonoMs = receivedMonoMs + ownBackoffMs(failures, roll, settings);
    return held(amend(gate, { failures, limitedProbes: 0 }), { untilMonoMs, because: 'own-backoff', roll });
  }
  if (kind !== 'ramping' && kind !== 'gliding') return gate;
  if (failures < FAILURES_IN_A_ROW) return amend(gate, { failures });
  const untilMonoMs = receivedMonoMs + ownBackoffMs(1, roll, settings);
  return held(amend(gate, { failures: 1 }), { untilMonoMs, because: 'failures', roll });
}

const SMOOTHING = 0.2;
const FAILURES_IN_A_ROW = 3;
