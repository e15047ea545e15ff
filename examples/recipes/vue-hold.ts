// Vue: a composable that says how long the wait is, and a component that shows it.
// To change: the call and the words in `Orders`. In a single-file component use `useHold` in <script setup>.
import { computed, defineComponent, h, onScopeDispose, onUnmounted, shallowRef } from 'vue';
import type { Component, ComputedRef } from 'vue';
import type { AxiosInstance } from 'axios';
import { isHeedError } from 'axios-heed';
import type { Heeding } from 'axios-heed';
import { describeHold, describeStop } from 'axios-heed/describe';
import type { HoldDescription } from 'axios-heed/describe';

/** What to tell whoever waits; `undefined` while nobody does. */
export function useHold(heeding: Heeding): ComputedRef<HoldDescription | undefined> {
  // Snapshots are frozen, and replaced as a whole: there is nothing in them for Vue to look into.
  const snapshot = shallowRef(heeding.snapshot());
  const now = shallowRef(Date.now());
  const unsubscribe = heeding.subscribe(() => {
    snapshot.value = heeding.snapshot();
    now.value = Date.now();
  });
  const timer = setInterval(() => {
    if (snapshot.value.waiting > 0) now.value = Date.now();
  }, 250);
  onScopeDispose(() => {
    unsubscribe();
    clearInterval(timer);
  });
  return computed(() =>
    snapshot.value.waiting > 0 ? describeHold(snapshot.value, { now: now.value }) : undefined,
  );
}

interface Order {
  readonly id: number;
  readonly title: string;
}

export function ordersComponent(api: AxiosInstance, heeding: Heeding): Component {
  return defineComponent({
    name: 'Orders',
    setup() {
      const orders = shallowRef<readonly Order[]>();
      const failure = shallowRef<string>();
      const hold = useHold(heeding);
      const controller = new AbortController();
      onUnmounted(() => controller.abort());

      api.get<Order[]>('/orders', { signal: controller.signal }).then(
        ({ data }) => (orders.value = data),
        (error: unknown) =>
          (failure.value = isHeedError(error) ? describeStop(error.heed).sentence : 'That went wrong'),
      );

      return () => {
        if (orders.value !== undefined) {
          return h(
            'ul',
            orders.value.map(({ id, title }) => h('li', { key: id }, title)),
          );
        }
        if (failure.value !== undefined) return h('p', { role: 'alert' }, failure.value);
        return [
          h('p', { role: 'status' }, hold.value ? 'Busy. It goes on by itself' : 'Loading your orders'),
          hold.value?.distance === undefined
            ? undefined
            : h('p', { role: 'timer' }, `Next try in ${hold.value.distance}`),
          h('button', { type: 'button', onClick: () => controller.abort() }, 'Cancel'),
        ];
      };
    },
  });
}
