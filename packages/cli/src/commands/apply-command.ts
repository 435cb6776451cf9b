import { hostname } from 'node:os';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { applyConfiguration } from '@waybill/directory/apply-configuration';
import { type FirstPasswordCode, issueFirstPasswords } from '@waybill/directory/logins/issue-first-passwords';
import { openDirectory } from '@waybill/directory/open-directory';
import { countFiles } from '@waybill/filebox/entries/count-files';
import { ensureFolders } from '@waybill/filebox/entries/ensure-folders';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import type { Database } from '@waybill/postgres/database';
import { type Command, operatorName } from '../command.ts';
import { defaultsOption, readWithDefaults } from '../configuration-file/read-with-defaults.ts';
import { describeWarnings } from '../configuration-file/warning.ts';
import { openAppliedStamp } from '../configuration/applied-stamp.ts';
import { describeChanges } from '../configuration/describe-changes.ts';
import { findDueFiles } from '../configuration/find-due-files.ts';
import { findWarnings } from '../configuration/find-warnings.ts';
import { refuseRemovals } from '../configuration/removals-refused.ts';
import { withPreparedDatabase } from '../database/with-prepared-database.ts';

/** Applies a configuration. */
export const applyCommand: Command = {
  summary: 'Applies a configuration as a whole or not at all. Entities that it no longer names are removed.',
  usage: '<file> [--unless-applied <stamp>] [--without-removals] [--as-defaults <variables>]',
  positionals: ['file'],
  options: { 'unless-applied': { type: 'string' }, 'without-removals': { type: 'boolean' }, ...defaultsOption },
  run: async (invocation) => {
    const { configuration, locate, filled, passwordOrigins, warnings } = await readWithDefaults(invocation);
    const withoutRemovals = invocation.values['without-removals'] === true;
    const stampFile = invocation.values['unless-applied'];
    await withPreparedDatabase(invocation, async (db) => {
      const stamp = typeof stampFile === 'string' ? openAppliedStamp(stampFile, db, configuration) : undefined;
      if (await stamp?.isApplied()) {
        invocation.out('This configuration was applied before: nothing is changed.');
        return;
      }
      const held = new Map<string, number>();
      const changes = await applyConfiguration({
        db,
        configuration,
        by: { user: operatorName(), nodeId: hostname() },
        filled,
        // If removals are refused, all of them are listed, including VFSs that hold files.
        files: {
          countFiles: async (vfsId) => {
            const files = await countFiles(db, vfsId);
            held.set(vfsId, files);
            return withoutRemovals ? 0 : files;
          },
          setLimits,
        },
        passwordOrigins,
        ...(withoutRemovals && { beforeCommit: (planned) => refuseRemovals(planned, held) }),
      });
      const dueFiles = await findDueFiles(db, configuration, changes);
      for (const line of describeChanges(changes, { tense: 'done', dueFiles, filled })) invocation.out(line);
      for (const folder of await makeFolders(db, configuration)) invocation.out(`+ folder ${folder}`);
      const found = [...warnings, ...(await findWarnings(db, configuration))];
      for (const line of describeWarnings(found, locate)) invocation.out(line);
      for (const code of await issueFirstPasswords(db)) for (const line of describeCode(code)) invocation.out(line);
      await stamp?.write();
    });
  },
};

/**
 * A code is printed only here, because only its hash is stored. ADDRESS is a placeholder for the address of the
 * administrators' interface, which the configuration does not contain.
 */
function describeCode({ userName, code, hours }: FirstPasswordCode): string[] {
  const body = JSON.stringify({ username: userName, code, newPassword: 'at least 12 characters' }).replaceAll(
    "'",
    "'\\''",
  );
  return [
    `! ${userName} has no password. This command sets it, once and for ${hours} hours; earlier codes no longer work:`,
    `    curl -i https://ADDRESS/platform-application/api/v1/auth/first-password -H 'Content-Type: application/json' -d '${body}'`,
  ];
}

/** Creates the missing folders of VFSs. After a crash, a repetition completes it. */
async function makeFolders(db: Database, { actors }: PlatformConfiguration): Promise<string[]> {
  const directory = openDirectory({ db, cacheMs: 0 });
  const made: string[] = [];
  for (const { name, folders } of actors.flatMap(({ virtualFileSystems }) => virtualFileSystems)) {
    const vfs = await directory.findVfsByName(name);
    if (!vfs) continue;
    const missing = await ensureFolders(db, vfs.id, folders).catch((error: unknown) => explain(error, name));
    made.push(...missing.map((folder) => `${name}:${folder}`));
  }
  return made;
}

function explain(error: unknown, vfsName: string): never {
  if (!isCodedError(error, 'not_a_folder')) throw error;
  const detail = `The configuration was applied, but ${vfsName}:${error.names.path} is a file: the folder cannot be created`;
  throw new CodedError('not_a_folder', { detail, cause: error });
}
