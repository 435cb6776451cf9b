import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Transaction } from '@waybill/postgres/database';
import { applyActors } from './apply-actors.ts';
import { applyClientConnections } from './apply-client-connections.ts';
import { applyClusters } from './apply-clusters.ts';
import { applyConnectionContracts } from './apply-connection-contracts.ts';
import { applyContracts } from './apply-contracts.ts';
import { applyPgpKeys } from './apply-pgp-keys.ts';
import { applyQueues } from './apply-queues.ts';
import { applyStorageClasses } from './apply-storage-classes.ts';
import { applySystems, type FilePorts } from './apply-systems.ts';
import { applyTemplates } from './apply-templates.ts';
import { applyManagerUsers, applyPartnerUsers } from './apply-users.ts';
import type { Change } from './change.ts';
import type { PasswordHashes } from './prepare-password-hashes.ts';

/** Makes the database equal to the configuration, and returns all differences. */
export async function reconcileConfiguration(
  trx: Transaction,
  options: { configuration: PlatformConfiguration; hashes: PasswordHashes; files: FilePorts },
): Promise<Change[]> {
  const { configuration, hashes, files } = options;
  // Two concurrent runs would remove each other's additions.
  await trx.raw("SELECT pg_advisory_xact_lock(hashtextextended('waybill apply configuration', 0))");
  const clusters = await applyClusters(trx, configuration);
  const storageClasses = await applyStorageClasses(trx, configuration);
  const queues = await applyQueues(trx, configuration);
  const templates = await applyTemplates(trx, configuration);
  const managers = await applyManagerUsers(trx, configuration, hashes.manager);
  const { actors, changes: actorChanges } = await applyActors(trx, configuration);
  const partners = await applyPartnerUsers(trx, actors, hashes.partner);
  const systems = await applySystems(trx, actors, files);
  const connections = await applyConnectionContracts(trx, actors, systems);
  const clientConnections = await applyClientConnections(trx, configuration, actors);
  const pgpKeys = await applyPgpKeys(trx, configuration, actors);
  const contracts = await applyContracts(trx, actors, { systems, queues, templates });
  return [
    ...clusters,
    ...storageClasses,
    ...queues.changes,
    ...templates.changes,
    ...managers,
    ...actorChanges,
    ...partners,
    ...systems.changes,
    ...connections,
    ...clientConnections,
    ...pgpKeys,
    ...contracts,
  ];
}
