import { expect, it } from 'vitest';
import { partners } from './operators/partners.ts';
import { shell } from './operators/shell.ts';
import { secondFactor } from './page-kit/second-factor.ts';
import { shell as commonShell } from './page-kit/shell.ts';
import { units } from './page-kit/units.ts';
import { files } from './partners/files.ts';
import { transfers } from './partners/transfers.ts';

/** Names that several of the catalogues have: the last one would take the place of the others. */
function sharedNames(...catalogues: readonly object[]): string[] {
  const names = catalogues.flatMap((catalogue) => Object.keys(catalogue));
  return names.filter((name, index) => names.indexOf(name) !== index);
}

it('no text of an application takes the place of one that both have', () => {
  const common = [commonShell, secondFactor, units];
  expect(sharedNames(...common, shell)).toEqual([]);
  expect(sharedNames(...common, files, transfers)).toEqual([]);
});

it('warns of what is in folders only where a folder is deleted', () => {
  expect(files.removeWarning(true)).toMatch(/^Folders are deleted with everything in them\./u);
  expect(files.removeWarning(false)).toBe('This cannot be undone.');
});

it('counts one folder as one', () => {
  expect([0, 1, 2].map(partners.amount('folders'))).toEqual(['0 folders', '1 folder', '2 folders']);
  expect(partners.amount('files')(1)).toBe('1 file');
});
