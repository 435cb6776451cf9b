import { expect, test } from 'vitest';
import { contentDisposition } from './content-disposition.ts';

test.each([
  ['invoice.csv', 'attachment; filename=invoice.csv'],
  ['two words.csv', `attachment; filename="two words.csv"; filename*=UTF-8''two%20words.csv`],
  ['a"b\\c', String.raw`attachment; filename="a\"b\\c"; filename*=UTF-8''a%22b%5Cc`],
  ['řeka.txt', `attachment; filename="_eka.txt"; filename*=UTF-8''%C5%99eka.txt`],
  ["o'hara (1)*", `attachment; filename="o'hara (1)*"; filename*=UTF-8''o%27hara%20%281%29%2A`],
  ['a;b', `attachment; filename="a;b"; filename*=UTF-8''a%3Bb`],
])('%s is named as %s', (filename, expected) => {
  expect(contentDisposition(filename)).toBe(expected);
});
