import { jest } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import AxiosMockAdapter from 'axios-mock-adapter';
import { heed } from 'axios-heed';
import type { Heeding } from 'axios-heed';

/** A client of a page, the API that it talks to, and what stands on the page. Time moves by hand. */
export interface Page {
  readonly api: AxiosInstance;
  readonly heeding: Heeding;
  readonly mock: AxiosMockAdapter;
  readonly root: HTMLElement;
  /** What a role shows; `undefined` when nothing has it. */
  shown(role: string): string | undefined;
  button(): HTMLButtonElement | null;
  /** How often the API was asked. */
  asked(): number;
}

export function openPage(): Page {
  jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  const api = axios.create({ baseURL: 'https://api.example.com' });
  const heeding = heed(api, { jitter: 0 });
  const mock = new AxiosMockAdapter(api);
  const root = document.body.appendChild(document.createElement('main'));
  return {
    ...{ api, heeding, mock, root },
    shown: (role) =>
      root.querySelector(role === 'list' ? 'ul' : `[role="${role}"]`)?.textContent ?? undefined,
    button: () => root.querySelector('button'),
    asked: () => mock.history.get.length,
  };
}

export function closePage({ root }: Page): void {
  root.remove();
  jest.useRealTimers();
}

/** As APIs say it: come back in so many seconds. */
export const busyFor = (seconds: number): [number, object, Record<string, string>] => [
  429,
  {},
  { 'Retry-After': String(seconds) },
];

export const ORDERS = [
  { id: 7, title: 'A lamp' },
  { id: 8, title: 'A chair' },
];
