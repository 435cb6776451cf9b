import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';
import { errorsInto } from './errors-into.ts';

/** What a command printed. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A migrated database that commands run on. */
export interface OneCommandLine {
  readonly database: TestDatabase;
  /** Writes the configuration to `platform.yaml` and runs a command on it. */
  run(command: 'plan' | 'apply', text: string, variables?: Readonly<Record<string, string>>): Promise<CommandResult>;
}

/** One for all tests of the calling file; its database is created before the first of them. */
export function oneCommandLine(): OneCommandLine {
  let created: { readonly database: TestDatabase; readonly folder: TestFolder } | undefined;
  const require = () => {
    if (!created) throw new Error('The database is created before the first test, and not earlier');
    return created;
  };
  const waybill = async (args: readonly string[], variables: Readonly<Record<string, string>>) => {
    const [lines, errors]: [string[], string[]] = [[], []];
    const env = { DATABASE_URL: require().database.url, ...variables };
    const code = await runCommandLine(args, { env, out: (line) => lines.push(line), err: errorsInto(errors) });
    return { code, out: lines.join('\n'), err: errors.join('\n') };
  };
  beforeAll(async () => {
    const [database, folder] = await Promise.all([createTestDatabase(), createTestFolder()]);
    created = { database, folder };
    await waybill(['migrate'], {});
  });
  afterAll(async () => {
    await created?.database.drop();
    await created?.folder.remove();
  });
  return {
    get database() {
      return require().database;
    },
    run: async (command, text, variables = {}) => {
      const file = path.join(require().folder.path, 'platform.yaml');
      await writeFile(file, text);
      return waybill([command, file], variables);
    },
  };
}
