import { LEAST_ACCEPTS, LOST_EXCHANGES, MOST_ACCEPTS_MS, MOST_RISK, SMALL_STEP, STEP } from './figures.js';
import type { GateRecord } from './gate-record.js';
import type { Gliding, Moment } from './gate-state.js';

/** One more was accepted: a step faster, when that is enough since the last and worth the risk. */
export function glideAccepted(gate: GateRecord, before: Gliding, moment: Moment): Gliding {
  const glide = { ...before, accepted: before.accepted + 1 / gate.share };
  if (glide.bursting && gate.rate?.shape !== 'window') return glide;
  const enough = Math.min((gate.rate?.rampAccepted ?? 0) / 2, MOST_ACCEPTS_MS * glide.perMs);
  if (glide.accepted - glide.acceptedAtStep < Math.max(LEAST_ACCEPTS, enough)) return glide;
  const factor = bestStep(gate, glide, moment);
  if (factor === undefined) return glide;
  return {
    ...glide,
    perMs: glide.perMs * factor,
    provenPerMs: Math.max(glide.provenPerMs, keptUpPerMs(gate, glide, moment)),
    steps: glide.steps + 1,
    acceptedAtStep: glide.accepted,
    steppedMonoMs: moment.nowMonoMs,
  };
}

/** What came in since the last step, less all that may have been saved up before. */
function keptUpPerMs(gate: GateRecord, glide: Gliding, moment: Moment): number {
  const accepted = glide.accepted - glide.acceptedAtStep - (gate.rate?.burst ?? 0);
  return Math.max(0, accepted) / Math.max(1, moment.nowMonoMs - glide.steppedMonoMs);
}

/**
 * The step with the best prospects: time saved over the whole queue if it goes well, against a hold and some
 * lost exchanges if it does not. A short queue never gambles; whoever has waited longer than a loss costs does.
 */
function bestStep(gate: GateRecord, glide: Gliding, moment: Moment): number | undefined {
  const priceMs = priceOfLoss(gate, glide);
  const queueMs = moment.waiting / (glide.perMs * gate.share);
  const gainOf = (factor: number): number => {
    const risk = riskOf(gate, glide, factor);
    return queueMs * (1 - 1 / factor) * (1 - risk) - priceMs * risk;
  };
  const best = gainOf(STEP) > gainOf(SMALL_STEP) ? STEP : SMALL_STEP;
  if (gainOf(best) > 0) return best;
  const sinceMonoMs = Math.max(moment.headSinceMonoMs ?? moment.nowMonoMs, glide.steppedMonoMs);
  return moment.nowMonoMs - sinceMonoMs > priceMs ? STEP : undefined;
}

function priceOfLoss(gate: GateRecord, glide: Gliding): number {
  const lossMs = gate.lastHintMs + 2 * (gate.smoothedMs ?? 0) + LOST_EXCHANGES / glide.perMs;
  return lossMs * (gate.rate?.priceFactor ?? 1);
}

/** That the capacity lies within the step: between here and the most it can be, all magnitudes are alike. */
function riskOf({ rate }: GateRecord, { perMs }: Gliding, factor: number): number {
  if (rate === undefined || rate.shape === 'window' || rate.mostPerMs <= perMs * factor) return MOST_RISK;
  return Math.min(MOST_RISK, Math.log(factor) / Math.log(rate.mostPerMs / perMs));
}
