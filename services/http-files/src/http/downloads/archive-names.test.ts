import { expect, test } from 'vitest';
import { createArchiveNames } from './archive-names.ts';

test.each([
  ['stay unchanged', ['a', 'a/b.txt', 'ř', '.hidden'], ['a', 'a/b.txt', 'ř', '.hidden']],
  ['lose what another system would interpret as a path', ['a\\b', 'C:', 'd:x/e:y'], ['a_b', 'C_', 'd_x/e_y']],
  ['stay distinct', ['a\\b', 'a_b', 'C:', 'C_'], ['a_b', 'a_b (2)', 'C_', 'C_ (2)']],
  ['keep their extension', ['x\\.txt', 'x_.txt', 'x_ (2).txt'], ['x_.txt', 'x_ (2).txt', 'x_ (2) (2).txt']],
  ['stay distinct below folders', ['a\\b', 'a\\b/x', 'a_b', 'a_b/x'], ['a_b', 'a_b/x', 'a_b (2)', 'a_b (2)/x']],
  ['have no character that Windows refuses', ['a?b*c', 'a|b"<d>', 'x:y'], ['a_b_c', 'a_b__d_', 'x_y']],
  ['end as Windows lets names end', ['con.', 'trail. ', 'a ', '...', '. .a'], ['con_', 'trail__', 'a_', '___', '. .a']],
  [
    'are none of the devices of Windows',
    ['CON', 'nul', 'aux.txt', 'LPT1.tar.gz', 'com¹', 'Prn .x', 'COM1/com0/CONIN$'],
    ['CON_', 'nul_', 'aux_.txt', 'LPT1_.tar.gz', 'com¹_', 'Prn_ .x', 'COM1_/com0_/CONIN$_'],
  ],
  [
    'like those of devices stay',
    ['console', 'COM10', 'xCON', 'con-1', 'aux2.x'],
    ['console', 'COM10', 'xCON', 'con-1', 'aux2.x'],
  ],
  [
    'that differ in case only are distinct',
    ['A.txt', 'a.txt', 'a (2).TXT', 'Ž', 'ž'],
    ['A.txt', 'a (2).txt', 'a (2) (2).TXT', 'Ž', 'ž (2)'],
  ],
  ['stay below their folders', ['A', 'a', 'A/x', 'a/x', 'a/X'], ['A', 'a (2)', 'A/x', 'a (2)/x', 'a (2)/X (2)']],
  ['are the same for the same path', ['a\\b/x', 'a\\b', 'a\\b/y'], ['a_b/x', 'a_b', 'a_b/y']],
])('names %s', (_what, paths, names) => {
  expect(paths.map(createArchiveNames())).toEqual(names);
});

test('ten thousand names that become equal are numbered at once', () => {
  const nameOf = createArchiveNames();
  const paths = Array.from({ length: 10_000 }, (_, at) => at.toString(2).padStart(14, '0')).map((bits) =>
    bits.replaceAll('0', '?').replaceAll('1', '*'),
  );
  const before = process.threadCpuUsage();
  expect(new Set(paths.map(nameOf)).size).toBe(10_000);
  // One after the other would take seconds.
  expect(process.threadCpuUsage(before).user).toBeLessThan(500_000);
});
