import { expect, test } from 'vitest';
import { readCookies } from './read-cookies.ts';

test.each<[string | undefined, Record<string, string>]>([
  [undefined, {}],
  ['', {}],
  ['a=1', { a: '1' }],
  ['a=1; b=2;c = 3', { a: '1', b: '2', c: '3' }],
  ['a=1; a=2', { a: '1' }],
  ['a=x=y', { a: 'x=y' }],
  ['a="quoted"', { a: 'quoted' }],
  ['a=%C5%99eka', { a: 'řeka' }],
  ['a=%zz', { a: '%zz' }],
  ['nothing; =x; ;', {}],
  ['__proto__=x', { ['__proto__']: 'x' }],
])('%j holds %j', (header, expected) => {
  expect(Object.fromEntries(readCookies(header))).toEqual(expected);
});
