import { describe, expect, test } from '@jest/globals';
import { codeBlocksOf, documents } from './markdown';
import { runBlock } from './run-block';
import { typeErrorsIn } from './type-check';

const blocks = documents.flatMap(codeBlocksOf).filter(({ language }) => language === 'ts');

describe('code blocks', () => {
  test('compile against the library', () => {
    expect(blocks).not.toEqual([]);
    expect(typeErrorsIn(blocks)).toEqual([]);
  });

  test('that do not compile are found', () => {
    const block = { place: 'README.md:1', language: 'ts', text: 'heed(api, { bugdet: 5 });\n' };
    expect(typeErrorsIn([block])).toEqual([expect.stringContaining('README.md:1: ')]);
  });

  test.each(blocks.map((block) => [block.place, block] as const))('run: %s', async (_place, block) => {
    await expect(runBlock(block)).resolves.toBeUndefined();
  });

  test('that throw are found', async () => {
    const block = { place: 'README.md:1', language: 'ts', text: 'order.price.total;\n' };
    await expect(runBlock(block)).rejects.toThrow(TypeError);
  });
});
