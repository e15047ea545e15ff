import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readDocument, tableUnder } from '../docs/markdown';
import { answers, breaksOff, saysNothing } from '../support/loopback-server';
import type { LoopbackStep } from '../support/loopback-server';
import { EXPOSING, OPEN } from './support/api-server';
import { observationsOf, openStage, until } from './support/stage';
import type { Ended } from './support/page-program';
import type { Stage, Visit } from './support/stage';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.clear());
afterAll(() => stage.close());

const table = tableUnder(readDocument('docs/browser.md'), 'What each adapter can tell');

/** What happens, by the words of docs/browser.md. */
const happenings: Readonly<Record<string, Happening>> = {
  'the server shows Retry-After': { step: answers(429, { ...EXPOSING, 'retry-after': '1' }) },
  'the server hides Retry-After': { step: answers(429, { ...OPEN, 'retry-after': '1' }) },
  'the answer has no CORS fields': { step: answers(502, { 'retry-after': '1' }) },
  'the preflight is refused': { step: answers(200, OPEN), config: { headers: { 'x-refused': 'yes' } } },
  'the connection breaks before the answer': { step: (response) => response.destroy() },
  'the body breaks off': { step: breaksOff(200, OPEN) },
  'a redirect has Retry-After': {
    step: (response, request) => {
      if (request.url?.endsWith('landed') === true) answers(503, OPEN)(response, request);
      else answers(302, { ...EXPOSING, location: '?landed', 'retry-after': '9' })(response, request);
    },
  },
  'the timeout of axios passes': { step: saysNothing, config: { timeout: 150 } },
  'the deadline passes': { step: saysNothing, config: { heed: { exchanges: 1, budget: 150 } } },
  'the caller aborts': { step: saysNothing, act: (visit) => visit.abort('one') },
  'the user stops the page': {
    step: saysNothing,
    act: ({ page }) =>
      page.evaluate(() => {
        window.stop();
      }),
  },
};

interface Happening {
  readonly step: LoopbackStep;
  readonly config?: object;
  readonly act?: (visit: Visit) => Promise<void>;
}

test('docs/browser.md has a row for each of these, and no other', () => {
  expect(table.map(([happening]) => happening)).toEqual(Object.keys(happenings));
});

test.each(Object.entries(happenings))('when %s', async (name, { step, config, act }) => {
  const [, xhr, fetch] = table.find(([happening]) => happening === name) ?? [];
  const seen: Record<string, string> = {};
  for (const adapter of ['xhr', 'fetch'] as const) {
    const path = `/${name.replaceAll(' ', '-')}-${adapter}`;
    const visit = await stage.page({ adapter });
    const url = stage.api.script(path, step);
    await visit.start('one', { url, heed: { exchanges: 1 }, ...config });
    if (act !== undefined) {
      await until(() => stage.api.requests(path).length === 1);
      await act(visit);
    }
    seen[adapter] = shown(await visit.ended('one'));
  }
  expect(seen).toEqual({ xhr, fetch });
});

function shown(ended: Ended): string {
  const [observation] = observationsOf(ended);
  if (observation === undefined) return 'nothing was sent';
  const { end, status, code, hint } = observation;
  const words = hint.kind === 'silent' ? [] : [`hint of ${'delayMs' in hint ? hint.delayMs : '?'} ms`];
  const because = hint.kind === 'silent' && hint.because === 'not-visible' ? ['not-visible'] : words;
  return [end, status, code, ...because].filter((word) => word !== undefined).join(', ');
}
