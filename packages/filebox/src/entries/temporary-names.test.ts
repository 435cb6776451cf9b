import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, it } from 'vitest';
import { createTemporaryNames } from './temporary-names.ts';

const isTemporary = createTemporaryNames(['*.filepart', '.in.*', 'a+b.*.tmp']);

it.each(['/x/a.csv.filepart', '/A.FILEPART', '/x/.in.a.csv', '/a+b.1.tmp', '/.filepart'])('%s is temporary', (path) => {
  expect(isTemporary(parseVirtualPath(path))).toBe(true);
});

it.each(['/a.csv', '/a.filepart/b.csv', '/a.filepart.csv', '/xin.a', '/aab.1.tmp', '/a.filepartx'])(
  '%s is a name to stay',
  (path) => {
    expect(isTemporary(parseVirtualPath(path))).toBe(false);
  },
);

it('nothing is temporary without patterns', () => {
  expect(createTemporaryNames([])(parseVirtualPath('/a.filepart'))).toBe(false);
});

it('names that begin with a dot are temporary if a pattern says so', () => {
  const isHidden = createTemporaryNames(['.*']);
  expect(['/.a.csv', '/x/.a', '/a.csv', '/.x/a.csv'].map((path) => isHidden(parseVirtualPath(path)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
