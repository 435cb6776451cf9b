import { expect, it } from 'vitest';
import { files } from './files.ts';

it('warns of what is in folders only where a folder is deleted', () => {
  expect(files.removeWarning(true)).toMatch(/^Folders are deleted with everything in them\./u);
  expect(files.removeWarning(false)).toBe('This cannot be undone.');
});
