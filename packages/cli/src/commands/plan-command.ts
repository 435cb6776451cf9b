import { planConfiguration } from '@waybill/directory/plan-configuration';
import { holdsFiles } from '@waybill/filebox/holds-files';
import { setLimits } from '@waybill/filebox/set-limits';
import type { Command } from '../command.ts';
import { readConfigurationFile } from '../configuration-file/read-configuration-file.ts';
import { describeChanges } from '../describe-changes.ts';
import { findDueFiles } from '../find-due-files.ts';
import { findWarnings } from '../find-warnings.ts';
import { withPreparedDatabase } from '../with-prepared-database.ts';

/** Shows what `apply` would change. */
export const planCommand: Command = {
  summary: 'Shows what `apply` would change, value by value, and changes nothing.',
  usage: '<file>',
  positionals: ['file'],
  run: async (invocation) => {
    const { configuration, locate, filled } = await readConfigurationFile(
      invocation.positionals[0] ?? '',
      invocation.env,
    );
    await withPreparedDatabase(invocation, async (db) => {
      const files = { holdsFiles: (vfsId: string) => holdsFiles(db, vfsId), setLimits };
      const changes = await planConfiguration({ db, configuration, files });
      const dueFiles = await findDueFiles(db, configuration, changes);
      for (const line of describeChanges(changes, { tense: 'planned', dueFiles, filled })) invocation.out(line);
      for (const { place, message } of await findWarnings(db, configuration)) {
        invocation.out(`! ${locate(place)}: ${message}`);
      }
    });
  },
};
