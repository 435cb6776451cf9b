import { rollBackAfter } from '@waybill/postgres/roll-back-after';
import type { FilePorts } from './apply-systems.ts';
import type { Change } from './change.ts';
import { type PasswordHashes, type PasswordsToPrepare, preparePasswords } from './prepare-password-hashes.ts';
import { reconcileSource } from './reconcile-configuration.ts';

/** A configuration that is applied for trial. */
export interface ConfigurationToRehearse extends PasswordsToPrepare {
  readonly files: FilePorts;
}

/** What applying would change, and the hashes with which it would. */
export interface Rehearsal {
  readonly changes: readonly Change[];
  readonly hashes: PasswordHashes;
}

/** Applies a configuration and rolls back. @throws CodedError `configuration_invalid`, as applying it would */
export async function rehearseConfiguration(options: ConfigurationToRehearse): Promise<Rehearsal> {
  const { db, configuration, files, mayName } = options;
  const hashes = await preparePasswords(options);
  const changes = await rollBackAfter(db, (trx) => reconcileSource(trx, { configuration, hashes, files, mayName }));
  return { hashes, changes };
}
