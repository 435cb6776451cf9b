import { expect, it } from 'vitest';
import { hasWildcard, matchesPathPattern, parsePathPattern } from './path-pattern.ts';
import { parseVirtualPath } from './virtual-path.ts';

const matches = (pattern: string, path: string): boolean =>
  matchesPathPattern(parseVirtualPath(path), parsePathPattern(parseVirtualPath(pattern)));

it.each([
  ['/', '/'],
  ['/inbox', '/inbox'],
  ['/*', '/inbox'],
  ['/in*', '/inbox'],
  ['/partners/*/in', '/partners/acme/in'],
  ['/partners/a*e/in', '/partners/acme/in'],
  ['/partners/**', '/partners'],
  ['/partners/**', '/partners/acme/in/today'],
  ['/**/in', '/in'],
  ['/**/in', '/partners/acme/in'],
  ['/**/in/**', '/a/in/b/in/c'],
  ['/**', '/'],
  ['/**/**', '/a'],
])('%s matches %s', (pattern, path) => expect(matches(pattern, path)).toBe(true));

it.each([
  ['/', '/inbox'],
  ['/inbox', '/inbox/sub'],
  ['/inbox', '/Inbox'],
  ['/*', '/'],
  ['/*', '/a/b'],
  ['/partners/*/in', '/partners/in'],
  ['/partners/*/in', '/partners/a/b/in'],
  ['/partners/**', '/partnersx'],
  ['/**/in', '/partners/in/today'],
  ['/a**/in', '/a/b/in'],
])('%s does not match %s', (pattern, path) => expect(matches(pattern, path)).toBe(false));

it('takes no longer for a pattern that matches in many ways', () => {
  const path = `/${Array.from({ length: 1_000 }, () => 'a').join('/')}`;
  expect(matches(`${'/**/a'.repeat(200)}/b`, path)).toBe(false);
});

it('knows what is only one path', () => {
  expect([hasWildcard('/inbox'), hasWildcard('/in*'), hasWildcard('/**')]).toEqual([false, true, true]);
});
