// React: a page that says how long it will wait, goes on by itself, and can be cancelled.
// To change: the call in `load`, and the words. `useHold` can stay as it is.
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { AxiosInstance } from 'axios';
import { isHeedError } from 'axios-heed';
import type { Heeding } from 'axios-heed';
import { describeHold, describeStop } from 'axios-heed/describe';
import type { HoldDescription } from 'axios-heed/describe';

/** What to tell whoever waits; `undefined` while nobody does. */
export function useHold(heeding: Heeding): HoldDescription | undefined {
  const snapshot = useSyncExternalStore(heeding.subscribe, heeding.snapshot, heeding.snapshot);
  const waiting = snapshot.waiting > 0;
  const now = useSyncExternalStore(waiting ? ticking : resting, quarterSecond, quarterSecond);
  return waiting ? describeHold(snapshot, { now }) : undefined;
}

// The gates tell of changes, not of time going by: the seconds are ours to count.
const ticking = (tick: () => void) => {
  const timer = setInterval(tick, 250);
  return () => clearInterval(timer);
};
const resting = () => () => undefined;
const quarterSecond = () => Math.floor(Date.now() / 250) * 250;

interface Order {
  readonly id: number;
  readonly title: string;
}

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly orders: readonly Order[] }
  | { readonly kind: 'failed'; readonly sentence: string };

async function load(api: AxiosInstance, signal: AbortSignal): Promise<State> {
  try {
    const { data } = await api.get<Order[]>('/orders', { signal });
    return { kind: 'loaded', orders: data };
  } catch (error) {
    const sentence = isHeedError(error) ? describeStop(error.heed).sentence : 'That went wrong';
    return { kind: 'failed', sentence };
  }
}

export function Orders({
  api,
  heeding,
}: {
  readonly api: AxiosInstance;
  readonly heeding: Heeding;
}): ReactNode {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const current = useRef<AbortController>(null);
  const hold = useHold(heeding);

  useEffect(() => {
    const controller = new AbortController();
    let shown = true;
    current.current = controller;
    void load(api, controller.signal).then((next) => {
      if (shown) setState(next);
    });
    return () => {
      shown = false;
      controller.abort();
    };
  }, [api]);

  if (state.kind === 'loaded') {
    return (
      <ul>
        {state.orders.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    );
  }
  if (state.kind === 'failed') return <p role="alert">{state.sentence}</p>;
  return (
    <>
      {/* Read out when it changes, so the seconds stand beside it: nobody wants to hear each of them. */}
      <p role="status">{hold === undefined ? 'Loading your orders' : 'Busy. It goes on by itself'}</p>
      {hold?.distance !== undefined && <p role="timer">Next try in {hold.distance}</p>}
      <button type="button" onClick={() => current.current?.abort()}>
        Cancel
      </button>
    </>
  );
}
