import { hostname } from 'node:os';
import { basename } from 'node:path';
import { describeWarnings } from '@waybill/configuration/document/warning';
import { findDueFiles } from '@waybill/configuration/find-due-files';
import { findWarnings } from '@waybill/configuration/warnings/find-warnings';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { applyConfiguration, type ConfigurationToApply } from '@waybill/directory/apply-configuration';
import { issueFirstPasswords } from '@waybill/directory/logins/issue-first-passwords';
import { openDirectory } from '@waybill/directory/open-directory';
import { countFiles } from '@waybill/filebox/entries/count-files';
import { ensureFolders } from '@waybill/filebox/entries/ensure-folders';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import type { Database } from '@waybill/postgres/database';
import { type Command, operatorName, UsageError } from '../../command.ts';
import { readWithDefaults } from '../../configuration-file/read-with-defaults.ts';
import { openAppliedStamp } from '../../configuration/applied-stamp.ts';
import { describeChanges } from '../../configuration/describe-changes.ts';
import { refuseRemovals } from '../../configuration/refuse-removals.ts';
import { announceDatabase } from '../../database/announce-database.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { asksPlatform, orInDatabase } from '../../platform/asks-platform.ts';
import { textOption } from '../../platform/option-values.ts';
import { platformOfDatabase } from '../../platform/target.ts';
import { applyRemotelyCommand } from './apply-remotely.ts';
import { describeCode } from './describe-code.ts';
import { faultsInDatabase } from './faults-in-database.ts';

/** Applies a configuration, in a database or on a platform. */
export const applyCommand: Command = {
  ...applyRemotelyCommand,
  options: {
    ...orInDatabase(applyRemotelyCommand.options),
    'unless-applied': textOption(
      'stamp',
      'In a database: does nothing if the same configuration was the last one applied, by this file.',
    ),
  },
  run: async (invocation) => {
    if (await asksPlatform(invocation)) {
      if (invocation.values['unless-applied'] === undefined) return await applyRemotelyCommand.run(invocation);
      throw new UsageError('--unless-applied is for a database: set DATABASE_URL, and leave out --url and --context');
    }
    announceDatabase(invocation);
    const { configuration, locate, locating, filled, passwordOrigins, warnings } = await readWithDefaults(
      invocation,
      faultsInDatabase(invocation),
    );
    const withoutRemovals = invocation.values['without-removals'] === true;
    const stampFile = invocation.values['unless-applied'];
    await withPreparedDatabase(invocation, async (db) => {
      const stamp = typeof stampFile === 'string' ? openAppliedStamp(stampFile, db, configuration) : undefined;
      if (await stamp?.isApplied()) {
        invocation.out('This configuration was applied before: nothing is changed.');
        return;
      }
      let held: ReadonlyMap<string, number> = new Map();
      const applied: ConfigurationToApply = {
        db,
        configuration,
        by: { user: operatorName(), nodeId: hostname() },
        file: basename(invocation.positionals[0] ?? ''),
        filled,
        // If removals are refused, all of them are listed, including VFSs that hold files.
        files: {
          countFiles: async (vfsIds) => {
            held = await countFiles(db, vfsIds);
            return withoutRemovals ? new Map() : held;
          },
          setLimits,
        },
        passwordOrigins,
        ...(withoutRemovals && { beforeCommit: (planned) => refuseRemovals(planned, held) }),
      };
      const changes = await locating(() => applyConfiguration(applied));
      const dueFiles = await findDueFiles(db, changes);
      for (const line of describeChanges(changes, { tense: 'done', dueFiles, filled })) invocation.out(line);
      for (const folder of await makeFolders(db, configuration)) invocation.out(`+ folder ${folder}`);
      const found = [...warnings, ...(await findWarnings(db, configuration))];
      for (const line of describeWarnings(found, locate)) invocation.out(line);
      const codes = await issueFirstPasswords(db);
      const url = invocation.env[platformOfDatabase];
      for (const line of codes.flatMap((code) => describeCode(code, url))) invocation.out(line);
      await stamp?.write();
    });
  },
};

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
