import { describeWarnings } from '@waybill/configuration/document/warning';
import { findDueFiles } from '@waybill/configuration/find-due-files';
import { findWarnings } from '@waybill/configuration/warnings/find-warnings';
import { planConfiguration } from '@waybill/directory/plan-configuration';
import { countFiles } from '@waybill/filebox/entries/count-files';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import { type Command, ExitCode, type Invocation } from '../../command.ts';
import { defaultsOption, readWithDefaults } from '../../configuration-file/read-with-defaults.ts';
import { describeChanges } from '../../configuration/describe-changes.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { asksPlatform, planRemotely } from './plan-remotely.ts';

/** Shows what `apply` would change. */
export const planCommand: Command = {
  summary: 'Shows what `apply` would change, value by value, and changes nothing.',
  usage: '<file> [--exit-code] [--as-defaults <variables>] [--url <platform> --token <file>]',
  positionals: ['file'],
  options: { 'exit-code': { type: 'boolean' }, ...defaultsOption, ...platformOptions },
  run: async (invocation) => {
    const count = await (asksPlatform(invocation) ? planAndKeep(invocation) : planInDatabase(invocation));
    if (invocation.values['exit-code'] === true && count > 0) throw new ExitCode(codeOfChanges);
  },
};

/** The exit code with `--exit-code` if there are changes. */
const codeOfChanges = 2;

async function planAndKeep(invocation: Invocation): Promise<number> {
  const { planId, expiresAt, changes } = await planRemotely(invocation);
  if (changes.length > 0) invocation.out(`Plan ${planId}: it can be applied until ${expiresAt}.`);
  return changes.length;
}

async function planInDatabase(invocation: Invocation): Promise<number> {
  const { configuration, locate, locating, filled, passwordOrigins, warnings } = await readWithDefaults(invocation);
  return await withPreparedDatabase(invocation, async (db) => {
    const files = { countFiles: (vfsId: string) => countFiles(db, vfsId), setLimits };
    const changes = await locating(() => planConfiguration({ db, configuration, files, passwordOrigins }));
    const dueFiles = await findDueFiles(db, changes);
    for (const line of describeChanges(changes, { tense: 'planned', dueFiles, filled })) invocation.out(line);
    const found = [...warnings, ...(await findWarnings(db, configuration))];
    for (const line of describeWarnings(found, locate)) invocation.out(line);
    return changes.length;
  });
}
