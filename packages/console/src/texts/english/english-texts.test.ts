import { expect, it } from 'vitest';
import { partners } from './operators/partners.ts';
import { files } from './partners/files.ts';

it('warns of what is in folders only where a folder is deleted', () => {
  expect(files.removeWarning(true)).toMatch(/^Folders are deleted with everything in them\./u);
  expect(files.removeWarning(false)).toBe('This cannot be undone.');
});

it('counts one folder as one', () => {
  expect([0, 1, 2].map(partners.amount('folders'))).toEqual(['0 folders', '1 folder', '2 folders']);
  expect(partners.amount('files')(1)).toBe('1 file');
});
