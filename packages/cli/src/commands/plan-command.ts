import { planConfiguration } from '@waybill/directory/plan-configuration';
import { holdsFiles } from '@waybill/filebox/holds-files';
import { setLimits } from '@waybill/filebox/set-limits';
import type { Command } from '../command.ts';
import { readConfigurationFile } from '../configuration-file/read-configuration-file.ts';
import { describeChanges } from '../describe-changes.ts';
import { withDatabase } from '../with-database.ts';

/** Shows what `apply` would change. */
export const planCommand: Command = {
  summary: 'Shows what `apply` would change, and changes nothing.',
  usage: '<file>',
  positionals: ['file'],
  run: async (invocation) => {
    const configuration = await readConfigurationFile(invocation.positionals[0] ?? '', invocation.env);
    const changes = await withDatabase(invocation, (db) =>
      planConfiguration({ db, configuration, files: { holdsFiles: (vfsId) => holdsFiles(db, vfsId), setLimits } }),
    );
    for (const line of describeChanges(changes, 'planned')) invocation.out(line);
  },
};
