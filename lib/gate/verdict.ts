import { FAILURES_IN_A_ROW, SMOOTHING } from './figures.js';
import type { Limited, PassFacts, Returned } from './gate-event.js';
import { amend } from './gate-record.js';
import type { GateRecord } from './gate-record.js';
import { isReleasing, openState } from './gate-state.js';
import type { GateSettings, GateState, HoldCause, Probing } from './gate-state.js';
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
  const { answer, pass } = event;
  if (pass.epoch !== gate.epoch) return answer === 'accepted' ? acceptedLate(gate, pass) : gate;
  switch (answer) {
    case 'accepted':
      return accepted(gate, event);
    case 'failed':
      return failed(gate, event, settings);
    case 'unjudged':
      return isProbe(gate, pass)
        ? amend(gate, { state: { ...gate.state, leaseUntilMonoMs: undefined } })
        : gate;
  }
}

/** A limit of any epoch holds the gate at least until receipt plus its hint. */
export function limited(before: GateRecord, event: Limited, settings: GateSettings): GateRecord {
  const { receivedMonoMs } = event;
  const gate = given(before, event);
  const isOfProbe = isProbe(before, event.pass);
  const limitedProbes = before.limitedProbes + (isOfProbe ? 1 : 0);
  const roll = rollOf(before, event.roll);
  const { hintMs, because } = hintOf(event, gate);
  const inARow = isOfProbe ? limitedProbes : 1;
  const ownMs = ownBackoffMs(inARow, roll, settings);
  let holdMs = ownMs;
  let askedMonoMs: number | undefined;
  if (hintMs !== undefined) {
    const heededMs = limitedProbeHintMs(Math.min(hintMs, settings.maxHoldMs), inARow);
    holdMs = Math.max(spreadMs(heededMs, roll, settings), isOfProbe ? ownMs : 0);
    askedMonoMs = receivedMonoMs + hintMs;
  }
  const lastHintMs = hintMs ?? settings.backoffMs(1);
  return amend(held(gate, { untilMonoMs: receivedMonoMs + holdMs, askedMonoMs, because, roll }), {
    limitedProbes,
    failures: isOfProbe ? 0 : before.failures,
    lastHintMs,
    rate: rateAfter(before, event, lastHintMs),
  });
}

interface HintFacts {
  readonly hintMs?: number;
  readonly because: HoldCause;
}

/** What the server asks for; else the end of a quota that is spent by its own count; else nothing. */
function hintOf({ hintMs, receivedMonoMs }: Limited, gate: GateRecord): HintFacts {
  if (hintMs !== undefined) return { hintMs, because: 'hint' };
  const spent = spentQuota(gate.quotas, receivedMonoMs, gate.inFlight);
  if (spent === undefined) return { because: 'own-backoff' };
  const { renewedMonoMs, untilMonoMs } = spent;
  const endMonoMs = renewedMonoMs > receivedMonoMs ? renewedMonoMs : untilMonoMs;
  return { hintMs: endMonoMs - receivedMonoMs, because: 'quota-spent' };
}

function rateAfter(before: GateRecord, event: Limited, hintMs: number): LearnedRate | undefined {
  const { rate } = before;
  const { pass } = event;
  if (pass?.epoch !== before.epoch) return rate;
  if (!isProbe(before, pass)) return rateAfterLimit(before, event.moment, hintMs);
  return rate && prolonged(rate, event.receivedMonoMs + hintMs);
}

/** The pass back, and what its answer says whatever the epoch: how long it took, and what is left of quotas. */
function given(gate: GateRecord, event: Returned | Limited): GateRecord {
  const { pass, receivedMonoMs } = event;
  if (pass === undefined) return gate;
  const { sentMonoMs } = pass;
  const { quotas } = gate;
  const counts = pass.epoch === gate.epoch && pass.stalls === gate.stalls;
  const inFlight = gate.inFlight - 1;
  const tookMs = Math.max(0, receivedMonoMs - sentMonoMs);
  const smoothedMs = gate.smoothedMs ?? tookMs;
  const isAccepted = event.kind === 'returned' && event.answer === 'accepted';
  return amend(gate, {
    inFlight,
    inFlightOfEpoch: gate.inFlightOfEpoch - (counts ? 1 : 0),
    movedMonoMs: event.moment.nowMonoMs,
    smoothedMs: isAccepted ? smoothedMs + SMOOTHING * (tookMs - smoothedMs) : gate.smoothedMs,
    quotas: event.quota
      ? quotasAfter(quotas, { news: event.quota, receivedMonoMs, sentMonoMs, inFlight, share: gate.share })
      : quotas,
  });
}

/** The pass is that of the probe that is waited for. */
function isProbe(gate: GateRecord, pass: PassFacts | undefined): gate is GateRecord & { state: Probing } {
  const { state } = gate;
  return (
    state.kind === 'probing' &&
    state.leaseUntilMonoMs !== undefined &&
    pass?.epoch === gate.epoch &&
    pass.lease === state.leases
  );
}

function accepted(gate: GateRecord, event: Returned): GateRecord {
  const unproven = gate.unproven && !event.pass.fresh;
  const { state } = gate;
  if (isProbe(gate, event.pass))
    return amend(released(gate, event), { failures: 0, limitedProbes: 0, unproven });
  if (state.kind === 'probing') return gate;
  const accepts = state.kind === 'open' ? gate.accepts : gate.accepts + 1;
  return amend(gate, { state: stateAfterAccept(gate, event), failures: 0, unproven, accepts });
}

/** Proves nothing of the present; but the epoch that met the limit was accepted one more. */
function acceptedLate(gate: GateRecord, pass: PassFacts): GateRecord {
  const rate = gate.rate && moreAccepted(gate.rate, pass.epoch, 1 / gate.share);
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
    default:
      return state;
  }
}

/** After a probe that was accepted: by what was learned, where that is fresh, else in proportion to what is proved. */
function released(gate: GateRecord & { state: Probing }, event: Returned): GateRecord {
  const { moment } = event;
  const { sinceMonoMs } = gate.state;
  const { nowMonoMs } = moment;
  const rate = gate.rate && isTelling(gate.rate) ? concluded(gate.rate) : undefined;
  return amend(gate, {
    rate,
    state:
      rate && nowMonoMs < rate.freshUntilMonoMs
        ? glidingAfter({ sinceMonoMs, sentMonoMs: event.pass.sentMonoMs, share: gate.share }, rate, moment)
        : { kind: 'ramping', sinceMonoMs, accepted: 1, nextMonoMs: nowMonoMs },
  });
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
