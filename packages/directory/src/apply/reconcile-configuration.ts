import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Transaction } from '@waybill/postgres/database';
import { preferIndexes } from '@waybill/postgres/prefer-indexes';
import { refuseFaults } from '../checks/check-document.ts';
import { describeLostApprovers } from '../checks/check-roles.ts';
import { faultsOfSource } from '../checks/faults-of-source.ts';
import { checkAccessTests } from '../expected/check-access-tests.ts';
import { readEntitiesAround } from '../sources/stored-entities.ts';
import type { DescribedFor } from '../sources/with-others.ts';
import { applyAccessTests } from './apply-access-tests.ts';
import { applyAccountPolicies, applyActors } from './apply-actors.ts';
import { applyClientConnections } from './apply-client-connections.ts';
import { applyClusters } from './apply-clusters.ts';
import { applyConnectionContracts } from './apply-connection-contracts.ts';
import { applyContracts } from './apply-contracts.ts';
import { applyGroups } from './apply-groups.ts';
import { applyPgpKeys } from './apply-pgp-keys.ts';
import { applyQueues } from './apply-queues.ts';
import { applyStorageClasses } from './apply-storage-classes.ts';
import { applySystems, type FilePorts } from './apply-systems.ts';
import { applyTemplates } from './apply-templates.ts';
import { applyManagerUsers, applyPartnerUsers, applyRoles } from './apply-users.ts';
import type { Change } from './change.ts';
import type { PasswordHashes } from './prepare-password-hashes.ts';
import type { Applying } from './reconcile-entities.ts';

/** A configuration, the hashes of its passwords, and what it does in the filebox. */
export interface ConfigurationToReconcile extends DescribedFor {
  readonly configuration: PlatformConfiguration;
  readonly hashes: PasswordHashes;
  readonly files: FilePorts;
  /** Who changes it, for what is remembered about changes; absent if nothing is committed. */
  readonly by?: string;
}

/** Waits until no other transaction changes the configuration, and keeps others from it until this one ends. */
export async function lockConfiguration(trx: Transaction): Promise<void> {
  await trx.raw("SELECT pg_advisory_xact_lock(hashtextextended('waybill apply configuration', 0))");
}

/** Keeps the configuration as it is until this transaction ends, in which other things refer to it. */
export async function holdConfiguration(trx: Transaction): Promise<void> {
  await trx.raw("SELECT pg_advisory_xact_lock_shared(hashtextextended('waybill apply configuration', 0))");
}

/**
 * Makes what the source of a configuration owns equal to it, and returns all differences.
 * @throws CodedError `configuration_invalid` as `faultsOfSource`, and if none of those is found for access tests that no longer hold
 */
export async function reconcileSource(trx: Transaction, options: ConfigurationToReconcile): Promise<Change[]> {
  const { source } = options.configuration;
  await lockConfiguration(trx);
  await preferIndexes(trx);
  refuseFaults(await faultsOfSource(trx, options.configuration, options));
  const { by } = options;
  const changes = await reconcileConfiguration({ trx, source, ...(by !== undefined && { by }) }, options);
  await assertApproversStay(trx, changes, options);
  await checkAccessTests({ trx, source }, options.configuration);
  return changes;
}

/** @throws CodedError `configuration_invalid` for deleted manager users whom approvals of workflow templates name */
export async function assertApproversStay(
  trx: Transaction,
  changes: readonly Change[],
  described: DescribedFor,
): Promise<void> {
  const deleted = changes.filter(({ change, entityType }) => change === 'deleted' && entityType === 'Internal User');
  if (deleted.length === 0) return;
  const lost = new Set(deleted.map(({ entityName }) => entityName));
  const messages = describeLostApprovers(await readEntitiesAround(trx, []), lost, described);
  refuseFaults(messages.map((message) => ({ field: '', message })));
}

/**
 * Makes what an owner has equal to a configuration whose references were checked after the lock, and returns all
 * differences. Access tests are checked by the caller. @throws CodedError `configuration_invalid` for names that other owners have
 */
export async function reconcileConfiguration(
  applying: Applying,
  { configuration, hashes, files }: ConfigurationToReconcile,
): Promise<Change[]> {
  const clusters = await applyClusters(applying, configuration);
  const accountPolicies = await applyAccountPolicies(applying, configuration);
  const storageClasses = await applyStorageClasses(applying, configuration);
  const queues = await applyQueues(applying, configuration);
  const templates = await applyTemplates(applying, configuration);
  const roles = await applyRoles(applying, configuration);
  const managers = await applyManagerUsers(applying, configuration, hashes.manager);
  const { actors, changes: actorChanges } = await applyActors(applying, configuration);
  const partners = await applyPartnerUsers(applying, actors, hashes.partner);
  const systems = await applySystems(applying, actors, files);
  const connections = await applyConnectionContracts(applying, actors, systems);
  const groups = await applyGroups(applying, actors);
  const clientConnections = await applyClientConnections(applying, configuration, actors);
  const pgpKeys = await applyPgpKeys(applying, configuration, actors);
  const contracts = await applyContracts(applying, actors, { systems, queues, templates });
  const accessTests = await applyAccessTests(applying, configuration);
  return [
    ...clusters,
    ...accountPolicies,
    ...storageClasses,
    ...queues.changes,
    ...templates.changes,
    ...roles,
    ...managers,
    ...actorChanges,
    ...partners,
    ...groups,
    ...systems.changes,
    ...connections,
    ...clientConnections,
    ...pgpKeys,
    ...contracts,
    ...accessTests,
  ];
}
