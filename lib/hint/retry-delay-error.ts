/**
 * Why there is no delay to wait: `missing` is also an empty value, `invalid` also several of them,
 * `exceeds-budget` a delay longer than the budget, `budget-spent` a budget below 0.
 */
export type RetryDelayErrorCode = 'missing' | 'invalid' | 'overflow' | 'exceeds-budget' | 'budget-spent';

/** The figures in ms that are known: no delay without a usable value, no instant unless it is a date. */
export interface RetryDelayFigures {
  readonly code: RetryDelayErrorCode;
  readonly budgetMs: number;
  readonly delayMs?: number;
  readonly atEpochMs?: number;
}

/**
 * Thrown by `retryDelay`: a decision to stop, with its figures. The message is one line that says what was
 * expected and what came. Where two copies of the package may meet, ask `isRetryDelayError`.
 */
export class RetryDelayError extends Error implements RetryDelayFigures {
  override readonly name: string = 'RetryDelayError';
  declare readonly code: RetryDelayErrorCode;
  declare readonly budgetMs: number;
  declare readonly delayMs?: number;
  declare readonly atEpochMs?: number;

  constructor(message: string, figures: RetryDelayFigures) {
    super(message);
    Object.assign(this, figures);
  }
}

/** Whether this is a `RetryDelayError` of this copy of the package or of another: all bear the name. */
export function isRetryDelayError(value: unknown): value is RetryDelayError {
  return typeof value === 'object' && value !== null && 'name' in value && value.name === 'RetryDelayError';
}
