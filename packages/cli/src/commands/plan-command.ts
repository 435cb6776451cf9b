import { planConfiguration } from '@waybill/directory/plan-configuration';
import { countFiles } from '@waybill/filebox/entries/count-files';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import type { Command } from '../command.ts';
import { defaultsOption, readWithDefaults } from '../configuration-file/read-with-defaults.ts';
import { describeWarnings } from '../configuration-file/warning.ts';
import { describeChanges } from '../configuration/describe-changes.ts';
import { findDueFiles } from '../configuration/find-due-files.ts';
import { findWarnings } from '../configuration/find-warnings.ts';
import { withPreparedDatabase } from '../database/with-prepared-database.ts';

/** Shows what `apply` would change. */
export const planCommand: Command = {
  summary: 'Shows what `apply` would change, value by value, and changes nothing.',
  usage: '<file> [--as-defaults <variables>]',
  positionals: ['file'],
  options: defaultsOption,
  run: async (invocation) => {
    const { configuration, locate, filled, passwordOrigins, warnings } = await readWithDefaults(invocation);
    await withPreparedDatabase(invocation, async (db) => {
      const files = { countFiles: (vfsId: string) => countFiles(db, vfsId), setLimits };
      const changes = await planConfiguration({ db, configuration, files, passwordOrigins });
      const dueFiles = await findDueFiles(db, configuration, changes);
      for (const line of describeChanges(changes, { tense: 'planned', dueFiles, filled })) invocation.out(line);
      const found = [...warnings, ...(await findWarnings(db, configuration))];
      for (const line of describeWarnings(found, locate)) invocation.out(line);
    });
  },
};
