import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import { isHeedError } from '../../lib/index';
import * as rateLimit from '../../lib/rate-limit/index';
import * as vendors from '../../lib/vendors/index';
import { answer, runBlock } from './run-block';
import { codeBlocksOf, readDocument, tableUnder } from './markdown';

const page = readDocument('docs/hints.md');

describe('docs/hints.md', () => {
  test('has a row for every reader of axios-heed/vendors, and for no other', () => {
    const rows = tableUnder(page, '`axios-heed/vendors`').map(([name]) => name);
    expect(rows).toEqual(Object.keys(vendors).sort());
  });

  test("names a source in every row, but for what is nobody's own", () => {
    const unsourced = tableUnder(page, '`axios-heed/vendors`').filter(([, , , from]) => from === '');
    expect(unsourced.map(([name]) => name)).toEqual(['fractionalSeconds', 'retryAfterMs', 'xRateLimit']);
  });

  test('names every function of axios-heed/rate-limit', () => {
    expect(Object.keys(rateLimit).filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });

  test('keeps the limit of one model from holding another, by a rule that reads the body', async () => {
    const block = codeBlocksOf('docs/hints.md').find(({ text }) => text.includes('byModel'));
    const sent: unknown[] = [];
    const api = axios.create({
      baseURL: 'https://api.example.com',
      adapter: async (config) => {
        sent.push(JSON.parse(String(config.data)));
        const isLimited = /"model":"big"/.test(String(config.data));
        return answer(config, isLimited ? 429 : 200, { 'retry-after': '60' });
      },
      validateStatus: null,
    });
    await runBlock(block!, { api });
    const ask = (model: string): Promise<number> =>
      api
        .post('/v1/responses', { model, input: 'hello' }, { heed: { budget: 1000 } })
        .then(({ status }) => status);
    expect(await ask('big')).toBe(429);
    const again: unknown = await ask('big').catch((error: unknown) => error);
    expect(isHeedError(again) && again.heed).toMatchObject({ reason: 'deadline-too-near', exchanges: 0 });
    expect(await ask('small')).toBe(200);
    expect(await ask('third')).toBe(200);
    expect(sent).toHaveLength(3);
  });
});
