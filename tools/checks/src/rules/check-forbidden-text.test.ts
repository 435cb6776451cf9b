import { describe, expect, it } from 'vitest';
import { checkForbiddenText } from './check-forbidden-text.ts';

// A tilde separates what would be found here.
describe('the check of forbidden text', () => {
  it.each([
    ['unfinished work', '// TO~DO: later'],
    ['a silenced linter', '// oxlint-~disable-next-line no-console'],
    ['a silenced compiler', '// @ts-~expect-error'],
    ['half a merge', '<<<<<<~< HEAD'],
    ['a path of a machine', "const path = '/ro~ot/waybill';"],
    ['a registry host', 'https://registry.~npmjs.org/zod'],
    ['a skipped test', "it.~skip('x', () => {})"],
  ])('finds %s and its line', (_, line) => {
    expect(checkForbiddenText([{ path: 'a.ts', text: `\n${line.replace('~', '')}\n` }])).toMatchObject([
      { path: 'a.ts', line: 2 },
    ]);
  });

  it('finds texts of others that the console shows as they are', () => {
    const text = '<b~di>{name}</b~di>'.replaceAll('~', '');
    const console = 'packages/console/src';
    expect(checkForbiddenText([{ path: `${console}/partners/name.tsx`, text }])).toHaveLength(1);
    expect(checkForbiddenText([{ path: `${console}/page-kit/outside-text/outside-text.tsx`, text }])).toEqual([]);
  });

  it('ignores ordinary text', () => {
    const text = 'mastodon; `${folder}/home/x`; https://example.org/home/page; a hacksaw';
    expect(checkForbiddenText([{ path: 'a.ts', text }])).toEqual([]);
  });
});
