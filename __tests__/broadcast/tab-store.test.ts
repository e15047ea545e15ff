import { describe, expect, jest, test } from '@jest/globals';
import { broadcastStore, storeOver } from '../../lib/broadcast/broadcast-store';
import { platformTabs } from '../../lib/broadcast/platform-tabs';
import type { GateStore, GateWord } from '../../lib/store/gate-store';
import { UNSHARED } from '../../lib/store/shared-store';
import type { Scope } from '../../lib/model';
import { virtualClock } from '../../lib/testing/index';
import { storeContract } from '../support/store-contract';
import { fakeBrowser } from './fake-tabs';

storeContract(
  'tabs of a browser',
  () => {
    const clock = virtualClock();
    const browser = fakeBrowser(clock);
    return Promise.resolve({
      join: () => {
        const store = storeOver(browser.tab());
        const tell: GateStore['tell'] = async (name, message) => {
          const word = await clock.until(store.tell(name, message));
          await clock.advance(5); // the others hear of it
          return word;
        };
        return { ...store, tell };
      },
      pass: (ms) => clock.advance(Math.max(ms, 50)),
      nowMs: () => clock.monoMs(),
      close: () => Promise.resolve(),
    });
  },
  60,
);

const ORIGIN: Scope = [{ by: 'origin', value: 'https://a.example', secret: false }];
const FACTS = { memberMs: 10_000, accepted: 0 } as const;
const OVER = { kind: 'over', leaseMs: 300, ...FACTS } as const;
const MET = { kind: 'met', ...FACTS } as const;

function nameIn(store: GateStore): string {
  const named = store.nameOf(ORIGIN);
  return named.kind === 'shared' ? named.name : '';
}

async function twoTabs() {
  const clock = virtualClock();
  const browser = fakeBrowser(clock);
  const tabs = [browser.tab(), browser.tab()] as const;
  const stores = [storeOver(tabs[0]), storeOver(tabs[1])] as const;
  const heard: GateWord[] = [];
  stores[0].subscribe(() => undefined);
  stores[1].subscribe((_, word) => heard.push(word));
  await clock.advance(50);
  const name = nameIn(stores[0]);
  const tell = (at: 0 | 1, message: Parameters<GateStore['tell']>[1]): Promise<GateWord> =>
    clock.until(stores[at].tell(name, message));
  return { clock, browser, tabs, stores, heard, name, tell };
}

describe('the right to probe', () => {
  test('is one tab’s, when both ask in the same moment', async () => {
    const { clock, stores, name } = await twoTabs();
    const asked = Promise.all(stores.map((store) => store.tell(name, OVER)));
    const kinds = (await clock.until(asked)).map(({ gate }) => gate.kind);
    expect(kinds.sort()).toEqual(['probed', 'yours']);
  });

  test('goes on at once when its tab has crashed and its lease is over', async () => {
    const { clock, tabs, tell } = await twoTabs();
    expect((await tell(0, OVER)).gate.kind).toBe('yours');
    await clock.advance(10);
    tabs[0].crash();
    expect((await tell(1, OVER)).gate.kind).toBe('probed');
    await clock.advance(300);
    expect((await tell(1, OVER)).gate.kind).toBe('yours');
  });

  test('is taken from a frozen tab when its lease is over, and that tab knows it when it thaws', async () => {
    const { clock, tabs, tell } = await twoTabs();
    const first = await tell(0, OVER);
    await clock.advance(10);
    tabs[0].freeze();
    await clock.advance(300);
    const second = await tell(1, { ...OVER, leaseMs: 5000 });
    expect(second.gate.kind).toBe('yours');
    tabs[0].thaw();
    await clock.advance(10);
    const generation = first.gate.kind === 'yours' ? first.gate.generation : -1;
    expect((await tell(0, { kind: 'accepted', generation, ...FACTS })).gate.kind).toBe('probed');
  });

  test('leaves no lock behind once the probe is answered', async () => {
    const { browser, tell } = await twoTabs();
    const { gate } = await tell(0, OVER);
    expect(browser.locks.size).toBe(1);
    const generation = gate.kind === 'yours' ? gate.generation : -1;
    await tell(0, { kind: 'accepted', generation, ...FACTS });
    expect(browser.locks.size).toBe(0);
  });
});

describe('a tab that comes later', () => {
  test('learns of a hold that it has not heard of, in less than the store is given', async () => {
    const { clock, browser, name, tell } = await twoTabs();
    await tell(0, { kind: 'held', forMs: 5000, hintMs: 5000, ...FACTS });
    await clock.advance(1000);
    const late = storeOver(browser.tab());
    const before = clock.monoMs();
    const { gate } = await clock.until(late.tell(name, MET));
    expect(clock.monoMs() - before).toBeLessThan(100);
    expect(gate).toMatchObject({ kind: 'held', hintMs: 5000 });
    expect(gate.kind === 'held' && gate.forMs).toBeGreaterThan(3900);
  });

  test('asks nobody, and waits for nobody, once it knows that it is alone', async () => {
    const clock = virtualClock();
    const browser = fakeBrowser(clock);
    const store = storeOver(browser.tab());
    await clock.advance(50);
    const before = clock.monoMs();
    expect((await clock.until(store.tell(nameIn(store), MET))).gate.kind).toBe('unknown');
    expect(clock.monoMs()).toBe(before);
  });

  test('waits for frozen tabs once, and not again', async () => {
    const { clock, browser, tabs, name } = await twoTabs();
    tabs[0].freeze();
    tabs[1].freeze();
    const late = storeOver(browser.tab());
    await clock.advance(50);
    const before = clock.monoMs();
    await clock.until(late.tell(name, MET));
    expect(clock.monoMs() - before).toBeLessThanOrEqual(40);
    const then = clock.monoMs();
    await clock.until(late.tell(`${name}/other`, MET));
    expect(clock.monoMs()).toBe(then);
  });
});

describe('tabs whose messages cross', () => {
  test('all hear of an accepted probe, though they counted different leases', async () => {
    const { clock, stores, name, heard, tell } = await twoTabs();
    // In the same moment one asks for the lease and the other is told of a hold.
    const lease = stores[1].tell(name, OVER);
    const hold = stores[0].tell(name, { kind: 'held', forMs: 300, hintMs: 300, ...FACTS });
    await clock.until(Promise.all([lease, hold]));
    await clock.advance(400);
    const { gate } = await tell(0, { ...OVER, leaseMs: 5000 });
    const generation = gate.kind === 'yours' ? gate.generation : -1;
    await clock.advance(10);
    await tell(0, { kind: 'accepted', generation, ...FACTS });
    await clock.advance(10);
    expect(heard.at(-1)?.gate).toEqual({ kind: 'released' });
  });

  test('do not take for news what a tab that has thawed answers late', async () => {
    const { clock, browser, tabs, name, tell } = await twoTabs();
    // It knows of many whose time will be over when it answers.
    for (const store of [storeOver(browser.tab()), storeOver(browser.tab())])
      await clock.until(store.tell(name, { ...MET, memberMs: 500 }));
    const { gate } = await tell(0, { ...OVER, leaseMs: 5000 });
    const generation = gate.kind === 'yours' ? gate.generation : -1;
    await clock.advance(10);
    tabs[1].freeze();
    const late = storeOver(browser.tab());
    await clock.until(late.tell(name, MET));
    await tell(0, { kind: 'accepted', generation, ...FACTS });
    await clock.advance(1000);
    await clock.until(late.tell(name, { ...MET, kind: 'sharing' }));
    tabs[1].thaw();
    await clock.advance(10);
    const { gate: then } = await clock.until(late.tell(name, { ...MET, kind: 'sharing' }));
    expect(then).toEqual({ kind: 'released' });
  });
});

describe('what else may stand on the channel', () => {
  test.each([
    ['nothing', undefined],
    ['text', 'hello'],
    ['a later version', { v: 2, from: 'x', kind: 'hello' }],
    ['a message without numbers', { v: 1, from: 'x', kind: 'told', name: 'n', message: { kind: 'held' } }],
    [
      'a hold without end',
      {
        ...{ v: 1, from: 'x', kind: 'told', name: 'n' },
        message: { kind: 'held', forMs: Infinity, hintMs: 1, ...FACTS },
      },
    ],
    [
      'a name of Object',
      { v: 1, from: 'x', kind: 'told', name: 'n', message: { kind: 'toString', ...FACTS } },
    ],
    ['a broken state', { v: 1, from: 'x', kind: 'state', to: 'y', name: 'n', state: { members: 'many' } }],
  ])('%s is ignored', async (_, data) => {
    const { clock, browser, heard, tell } = await twoTabs();
    browser.inject(data);
    await clock.advance(10);
    expect(heard).toEqual([]);
    expect((await tell(1, { kind: 'met', ...FACTS })).gate).toEqual({ kind: 'unknown' });
  });

  test('scopes with credentials are not shared, unless the caller gives them a name', async () => {
    const clock = virtualClock();
    const browser = fakeBrowser(clock);
    const scope: Scope = [...ORIGIN, { by: 'token', value: 'SECRET', secret: true }];
    expect(storeOver(browser.tab()).nameOf(scope)).toEqual({ kind: 'no-secret' });
    const named = storeOver(browser.tab(), () => 'user 7').nameOf(scope);
    expect(named.kind === 'shared' && named.name).toContain('user 7');
    expect(JSON.stringify([named, browser.posted])).not.toContain('SECRET');
    await clock.advance(50);
  });
});

describe('a browser without channels or locks', () => {
  test('leaves every tab to itself', () => {
    onPlatform({}, () => expect(broadcastStore()).toBe(UNSHARED));
  });

  test.each([
    [{ chanel: 'x' }, /expected one of channel, nameOfSecret, got `chanel`/],
    [{ channel: '' }, /expected `channel` to be a text/],
    [{ nameOfSecret: 'user' }, /expected `nameOfSecret` to be a function/],
  ])('checks %j', (options, message) => {
    expect(() => broadcastStore(options as object)).toThrow(message);
  });
});

test('a channel is no reason for Node to keep a process alive', () => {
  const unref = jest.spyOn(BroadcastChannel.prototype as unknown as { unref(): void }, 'unref');
  onPlatform({ locks: {} }, () => {
    platformTabs('unref')
      ?.open(() => undefined)
      .close();
  });
  expect(unref).toHaveBeenCalledTimes(1);
});

/** Whatever this version of Node has: newer ones have locks. */
function onPlatform(navigator: object, run: () => void): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: navigator });
  try {
    run();
  } finally {
    Reflect.deleteProperty(globalThis, 'navigator');
    if (before !== undefined) Object.defineProperty(globalThis, 'navigator', before);
  }
}

test('whoever has stopped listening leaves the channel, and holds no lock', async () => {
  const clock = virtualClock();
  const browser = fakeBrowser(clock);
  const store = storeOver(browser.tab());
  const stops = [store.subscribe(() => undefined), store.subscribe(() => undefined)];
  await clock.until(store.tell(nameIn(store), OVER));
  for (const stop of stops) stop();
  expect([browser.lines, browser.locks.size]).toEqual([0, 0]);
  await clock.advance(1000);
  clock.assertIdle();
});

test('whoever has something to say after that says it, and leaves the channel again', async () => {
  const clock = virtualClock();
  const browser = fakeBrowser(clock);
  const [one, two] = [storeOver(browser.tab()), storeOver(browser.tab())];
  const heard: GateWord[] = [];
  two.subscribe((_, word) => heard.push(word));
  one.subscribe(() => undefined)();
  await clock.until(one.tell(nameIn(one), { kind: 'held', forMs: 500, hintMs: 500, ...FACTS }));
  await clock.advance(10);
  expect(heard.map(({ gate }) => gate.kind)).toEqual(['held']);
  await clock.until(one.tell(nameIn(one), OVER));
  expect([browser.lines, browser.locks.size]).toEqual([1, 0]);
});
