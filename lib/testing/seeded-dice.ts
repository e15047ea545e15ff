/**
 * Dice that fall the same way for the same seed: numbers from 0 (inclusive) to 1 (exclusive), in 2^32 steps.
 * A Weyl sequence through a 32-bit finalizer: even enough for jitter and simulations, nothing for secrets.
 */
export function seededDice(seed: number): () => number {
  let state = Math.imul(Math.trunc(seed) + 1, 0x85ebca6b) >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000;
  };
}
