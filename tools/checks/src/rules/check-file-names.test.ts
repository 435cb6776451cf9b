import { describe, expect, it } from 'vitest';
import { checkFileNames } from './check-file-names.ts';

describe('the check of file names', () => {
  it.each([
    'packages/x/src/index.ts',
    'packages/x/src/utils/parse.ts',
    'packages/x/src/helpers.test.ts',
    'docs/misc/page.md',
    'packages/x/src/readFile.ts',
    'packages/x/src/read-and-write.ts',
  ])('refuses %s', (path) => {
    expect(checkFileNames([{ path, text: '' }])).toHaveLength(1);
  });

  it.each([
    'packages/x/src/read-file.ts',
    'packages/x/src/migrations/0001_entries.ts',
    'packages/x/tests/put-and-get.test.ts',
    'ARCHITECTURE.md',
    'vitest.config.ts',
  ])('lets %s be', (path) => {
    expect(checkFileNames([{ path, text: '' }])).toEqual([]);
  });
});
