import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Database } from '@waybill/postgres/database';
import { refuseFaults } from '../checks/check-document.ts';
import { faultsOfSource } from '../checks/faults-of-source.ts';
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
  const { db, configuration, files, mayName } = options;
  const hashes = await hashesFor(options);
  const trx = await db.transaction();
  try {
    return { hashes, changes: await reconcileSource(trx, { configuration, hashes, files, mayName }) };
  } finally {
    await trx.rollback();
  }
}

/** Passwords that are refused are reported with everything else. @throws CodedError `configuration_invalid` */
async function hashesFor(options: ConfigurationToRehearse): Promise<PasswordHashes> {
  const { db, configuration, passwordOrigins } = options;
  try {
    return await preparePasswordHashes(db, configuration, passwordOrigins);
  } catch (error) {
    if (isCodedError(error, 'configuration_invalid')) {
      refuseFaults([...(await faultsOfSource(db, configuration, options)), ...error.fields]);
    }
    throw error;
  }
}
