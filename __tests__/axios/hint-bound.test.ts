import { describe, expect, test } from '@jest/globals';
import type { HeedPolicy } from '../../lib/index';
import { scriptedClient } from '../support/scripted-client';

const saying = (seconds: number) => [
  { status: 429, headers: { 'retry-after': String(seconds) } },
  { status: 200 },
];

// The spread that is ours (a guard, jitter) came on top of the hint, and a hint as long as the bound was refused.
describe('the bound of hints', () => {
  test.each<[number, HeedPolicy]>([
    [60, {}],
    [58, {}],
    [120, { maxHint: { minutes: 2 } }],
    [60, { jitter: 1 }],
  ])('lets a hint of %d s through with %j, whatever the dice say', async (seconds, policy) => {
    const rolls = [0, 0.5, 0.999];
    for (const roll of rolls) {
      const client = scriptedClient(saying(seconds), policy, { roll: () => roll });
      const { status } = await client.get();
      expect(status).toBe(200);
    }
  });

  test('lets whoever comes later wait for the rest of it', async () => {
    const client = scriptedClient(saying(60), {}, { roll: () => 0.999 });
    const first = client.api.get('/things');
    await client.clock.advance(0);
    expect((await client.get()).status).toBe(200);
    await first;
  });

  test('refuses one that is a second longer, and still holds the gate', async () => {
    const client = scriptedClient(saying(61), {});
    expect((await client.get()).error?.heed.reason).toBe('hint-too-long');
    expect((await client.get()).error?.heed).toMatchObject({ reason: 'hint-too-long', exchanges: 0 });
  });
});
