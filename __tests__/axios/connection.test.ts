import { afterEach, describe, expect, test } from '@jest/globals';
import { EXACT, scriptedClient } from '../support/scripted-client';

const policy = { ...EXACT, waitForOnline: true };
const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');

afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(globalThis, 'navigator');
  else Object.defineProperty(globalThis, 'navigator', before);
});

async function sentWith(navigator: unknown): Promise<readonly number[]> {
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true, writable: true });
  const { get, server } = scriptedClient([{ status: 200 }], policy);
  await get();
  return server.times();
}

describe('waitForOnline where there is no browser', () => {
  test.each([
    ['there is no navigator', undefined],
    ['the navigator says nothing of networks', { userAgent: 'Hermes' }],
    ['nobody would tell that there is a network again', { onLine: false }],
  ])('does nothing when %s', async (_when, navigator) => {
    expect(await sentWith(navigator)).toEqual([0]);
  });

  test('is refused when it is neither true nor false', () => {
    const wrong = { waitForOnline: 'yes' } as never;
    expect(() => scriptedClient([{ status: 200 }], wrong)).toThrow(/`waitForOnline` to be true or false/);
  });
});
