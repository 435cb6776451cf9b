import { expect, test } from 'vitest';
import { createArchiveNames } from './archive-names.ts';

test.each([
  ['stay unchanged', ['a', 'a/b.txt', 'ř', '.hidden'], ['a', 'a/b.txt', 'ř', '.hidden']],
  ['lose what another system would interpret as a path', ['a\\b', 'C:', 'd:x/e:y'], ['a_b', 'C_', 'd_x/e:y']],
  ['stay distinct', ['a\\b', 'a_b', 'C:', 'C_'], ['a_b', 'a_b (2)', 'C_', 'C_ (2)']],
  ['keep their extension', ['x\\.txt', 'x_.txt', 'x_ (2).txt'], ['x_.txt', 'x_ (2).txt', 'x_ (2) (2).txt']],
  ['stay distinct below folders', ['a\\b', 'a\\b/x', 'a_b', 'a_b/x'], ['a_b', 'a_b/x', 'a_b (2)', 'a_b (2)/x']],
  ['are the same for the same path', ['a\\b/x', 'a\\b', 'a\\b/y'], ['a_b/x', 'a_b', 'a_b/y']],
])('names %s', (_what, paths, names) => {
  expect(paths.map(createArchiveNames())).toEqual(names);
});
