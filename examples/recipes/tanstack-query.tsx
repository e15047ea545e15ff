// TanStack Query: one layer sends again, not two. It caches, axios-heed repeats.
// To change: the query, `staleTime`, and the budget, which is what a person is willing to wait.
import { QueryClient, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AxiosInstance } from 'axios';
import { isHeedError } from 'axios-heed';
import { describeStop } from 'axios-heed/describe';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // By default a query is repeated three times: with four exchanges each that would be sixteen.
      queries: { retry: false, staleTime: 30_000 },
      mutations: { retry: false },
    },
  });
}

interface Order {
  readonly id: number;
  readonly title: string;
}

function useOrders(api: AxiosInstance): UseQueryResult<readonly Order[]> {
  return useQuery({
    queryKey: ['orders'],
    // The signal ends a wait at a gate, too, when the last component that shows the query has gone.
    queryFn: async ({ signal }) => {
      const { data } = await api.get<Order[]>('/orders', { signal, heed: { budget: { seconds: 20 } } });
      return data;
    },
  });
}

export function Orders({ api }: { readonly api: AxiosInstance }): ReactNode {
  const { data, error, isFetching, refetch } = useOrders(api);
  if (data !== undefined) {
    return (
      <ul>
        {data.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    );
  }
  if (error === null) return <p role="status">Loading your orders</p>;
  const told = isHeedError(error) ? describeStop(error.heed) : undefined;
  return (
    <div role="alert">
      <p>{told?.sentence ?? 'That went wrong'}</p>
      {told?.retryable === true && (
        <button type="button" disabled={isFetching} onClick={() => void refetch()}>
          Try again
        </button>
      )}
    </div>
  );
}
