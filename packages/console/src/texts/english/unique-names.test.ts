import { expect, it } from 'vitest';
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
