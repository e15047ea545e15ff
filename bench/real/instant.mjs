/** Wall time in fractions of a millisecond: readings of two processes on one machine can be compared. */
export const now = () => performance.timeOrigin + performance.now();

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
