import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { existing } from '@waybill/test-kit/values/existing';
import { expect, it } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';
import { errorsInto } from './errors-into.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');
const passwords = { ADMIN_PASSWORD: 'admin-1', ACME_PASSWORD: 'acme-1', GLOBEX_PASSWORD: 'globex-1' };

/** The words of a line of the shell, with single quotes. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/gu)].map(([, quoted, plain]) => quoted ?? plain ?? '');

it('every configuration and every command of the page about contracts works, and prints what the page shows', async () => {
  const page = await readFile(path.join(root, 'docs', 'contracts.md'), 'utf8');
  const blocks = [...page.matchAll(/```(yaml|sh|text)\n([\s\S]*?)```/gu)];
  expect(blocks.length).toBeGreaterThan(15);
  await using folder = await createTestFolder();
  await using database = await createTestDatabase();
  const file = path.join(folder.path, 'platform.yaml');
  let printed: string[] = [];
  const waybill = async (args: readonly string[]): Promise<void> => {
    const errors: string[] = [];
    const env = { DATABASE_URL: database.url, ...passwords };
    const code = await runCommandLine(args, {
      env,
      out: (line) => printed.push(line),
      err: errorsInto(errors),
    });
    expect([code, ...errors], args.join(' ')).toEqual([0]);
  };
  await waybill(['migrate']);
  for (const [, kind, text] of blocks) {
    const content = existing(text);
    if (kind === 'yaml') await writeFile(file, content);
    else if (kind === 'text') expect(printed.join('\n')).toBe(content.trimEnd());
    else {
      printed = [];
      for (const line of content.trimEnd().split('\n')) {
        const [program, ...args] = wordsOf(line);
        expect(program).toBe('waybill');
        await waybill(args.map((word) => (word === 'platform.yaml' ? file : word)));
      }
    }
  }
});
