import { expect, it } from 'vitest';
import { inFolder, isFolderName, newPathOf } from './new-path.ts';

it.each([
  ['/data/p2.mjs', 'renamed.txt', '/data/renamed.txt'],
  ['/data/p2.mjs', 'sub/renamed.txt', '/data/sub/renamed.txt'],
  ['/data/p2.mjs', '/renamed.txt', '/renamed.txt'],
  ['/data', 'files', '/files'],
])('renames %s to %s as %s', (id, text, path) => {
  expect(newPathOf(id, text)).toBe(path);
});

it.each([
  ['/', '/a.csv'],
  ['/inbox', '/inbox/a.csv'],
])('finds a name in %s at %s', (folder, path) => {
  expect(inFolder(folder, 'a.csv')).toBe(path);
});

it.each(['', '.', '..', '../x', 'a/..', 'a/../../x', './a', '/', '/x', 'a/', 'a//b'])(
  'makes no folder of %j',
  (name) => {
    expect(isFolderName(name)).toBe(false);
  },
);

it.each(['a', 'a b', '...', '.hidden', 'a/b', '..a'])('makes a folder of %j', (name) => {
  expect(isFolderName(name)).toBe(true);
});
