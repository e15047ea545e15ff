import type { GateRecord } from './gate-record.js';
import type { Gliding, Moment } from './gate-state.js';

/** One more was accepted: a step faster, when that is enough since the last and worth the risk. */
export function glideAccepted(gate: GateRecord, before: Gliding, moment: Moment): Gliding {
  const glide = { ...before, accepted: before.accepted + 1 / gate.share };
  if (glide.bursting && gate.rate?.shape !== 'window') return glide;
  if (glide.accepted - glide.acceptedAtStep < acceptsPerStep(gate, glide)) return glide;
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

function acceptsPerStep({ rate }: GateRecord, { perMs }: Gliding): number {
  return Math.max(LEAST_ACCEPTS, Math.min((rate?.rampAccepted ?? 0) / 2, MOST_ACCEPTS_MS * perMs));
}

/** What came in since the last step, less all that may have been saved up before. */
function keptUpPerMs({ rate }: GateRecord, glide: Gliding, { nowMonoMs }: Moment): number {
  const accepted = glide.accepted - glide.acceptedAtStep - (rate?.burst ?? 0);
  return Math.max(0, accepted) / Math.max(1, nowMonoMs - glide.steppedMonoMs);
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

function priceOfLoss({ lastHintMs, smoothedMs = 0, rate }: GateRecord, { perMs }: Gliding): number {
  return (lastHintMs + 2 * smoothedMs + LOST_EXCHANGES / perMs) * (rate?.priceFactor ?? 1);
}

/** That the capacity lies within the step: between here and the most it can be, all magnitudes are alike. */
function riskOf({ rate }: GateRecord, { perMs }: Gliding, factor: number): number {
  if (rate === undefined || rate.shape === 'window' || rate.mostPerMs <= perMs * factor) return MOST_RISK;
  return Math.min(MOST_RISK, Math.log(factor) / Math.log(rate.mostPerMs / perMs));
}

const STEP = 1.25;
const SMALL_STEP = 1.05;
const LOST_EXCHANGES = 3;
// Capacities change: nothing is ruled out for ever.
const MOST_RISK = 0.9;
const LEAST_ACCEPTS = 3;
const MOST_ACCEPTS_MS = 1000;
