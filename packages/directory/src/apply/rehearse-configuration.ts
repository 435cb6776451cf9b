import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Database } from '@waybill/postgres/database';
import { rollBackAfter } from '@waybill/postgres/roll-back-after';
import type { DescribedFor } from '../sources/with-others.ts';
import type { FilePorts } from './apply-systems.ts';
import type { Change } from './change.ts';
import { type PasswordHashes, type PasswordOrigins, preparePasswordHashes } from './prepare-password-hashes.ts';
import { reconcileSource } from './reconcile-configuration.ts';

/** A configuration that is applied for trial. */
export interface ConfigurationToRehearse extends DescribedFor {
  readonly db: Database;
  readonly configuration: PlatformConfiguration;
  readonly files: FilePorts;
  readonly passwordOrigins?: PasswordOrigins | undefined;
}

/** What applying would change, and the hashes with which it would. */
export interface Rehearsal {
  readonly changes: readonly Change[];
  readonly hashes: PasswordHashes;
}

/** Applies a configuration and rolls back. @throws CodedError `configuration_invalid`, as applying it would */
export async function rehearseConfiguration(options: ConfigurationToRehearse): Promise<Rehearsal> {
  const { db, configuration, files, passwordOrigins, mayName } = options;
  const hashes = await preparePasswordHashes(db, configuration, passwordOrigins);
  const changes = await rollBackAfter(db, (trx) => reconcileSource(trx, { configuration, hashes, files, mayName }));
  return { hashes, changes };
}
