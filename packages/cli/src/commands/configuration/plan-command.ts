import { describeWarnings } from '@waybill/configuration/document/warning';
import { findDueFiles } from '@waybill/configuration/find-due-files';
import { findWarnings } from '@waybill/configuration/warnings/find-warnings';
import { planConfiguration } from '@waybill/directory/plan-configuration';
import { countFiles } from '@waybill/filebox/entries/count-files';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import type { Command, Invocation } from '../../command.ts';
import { readWithDefaults } from '../../configuration-file/read-with-defaults.ts';
import { describeChanges } from '../../configuration/describe-changes.ts';
import { announceDatabase } from '../../database/announce-database.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { asksPlatform, orInDatabase } from '../../platform/asks-platform.ts';
import { faultsInDatabase } from './faults-in-database.ts';
import { planRemotelyCommand, reportChanges } from './plan-remotely.ts';

/** Shows what `apply` would change, in a database or on a platform. */
export const planCommand: Command = {
  ...planRemotelyCommand,
  options: orInDatabase(planRemotelyCommand.options),
  run: async (invocation) => {
    if (await asksPlatform(invocation)) return await planRemotelyCommand.run(invocation);
    reportChanges(invocation, await planInDatabase(invocation));
  },
};

async function planInDatabase(invocation: Invocation): Promise<number> {
  announceDatabase(invocation);
  const { configuration, locate, locating, filled, passwordOrigins, warnings } = await readWithDefaults(
    invocation,
    faultsInDatabase(invocation),
  );
  return await withPreparedDatabase(invocation, async (db) => {
    const files = { countFiles: (vfsIds: readonly string[]) => countFiles(db, vfsIds), setLimits };
    const changes = await locating(() => planConfiguration({ db, configuration, files, passwordOrigins }));
    const dueFiles = await findDueFiles(db, changes);
    for (const line of describeChanges(changes, { tense: 'planned', dueFiles, filled })) invocation.out(line);
    const found = [...warnings, ...(await findWarnings(db, configuration))];
    for (const line of describeWarnings(found, locate)) invocation.out(line);
    return changes.length;
  });
}
