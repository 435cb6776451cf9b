import type { LegacyAlgorithm } from '@waybill/contracts/configuration/legacy-algorithm';
import type { StorageClass } from '@waybill/contracts/configuration/storage-class';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { matchesPattern } from '@waybill/contracts/values/name-pattern';
import { nameOf, parentOf, parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database } from '@waybill/postgres/database';
import type { Action } from './access/action.ts';
import type { Mounts, Vfs } from './access/mounts.ts';
import type { Cluster, Directory } from './directory.ts';
import type { JobQueue } from './job-queue.ts';
import { createAuthenticators } from './logins/authenticate-users.ts';
import type { DemoPasswordRefusal } from './logins/demo-passwords.ts';
import { findActionGrants, type GivenGrant } from './queries/find-action-grants.ts';
import {
  findContractActions,
  findExpectationActions,
  findFolderActions,
  findNewestRevision,
  findRevision,
  findTimeActions,
  findWorkflow,
  type PatternedAction,
} from './queries/find-actions.ts';
import { findCluster } from './queries/find-cluster.ts';
import { findExpectations } from './queries/find-expectations.ts';
import { findLegacyAlgorithms } from './queries/find-legacy-algorithms.ts';
import { findLinkedUser, findManagerUser } from './queries/find-manager-user.ts';
import { findPartnerUser } from './queries/find-partner-user.ts';
import { findQueues } from './queries/find-queues.ts';
import { findRetention, findRetentionOf } from './queries/find-retention.ts';
import { findStorageClasses, findStorageClassOf } from './queries/find-storage-classes.ts';
import { findVfs, findVfsActor, findVfsByName } from './queries/find-vfs.ts';
import { loadMounts } from './queries/load-mounts.ts';
import { findActor, hasActor } from './queries/owned/find-actor.ts';
import { findClientConnection, listClientConnections } from './queries/owned/find-client-connection.ts';
import { findPgpKey, listPgpKeys } from './queries/owned/find-pgp-key.ts';
import { searchableName } from './queries/query-rows.ts';
import { recordKeyUse } from './queries/record-key-use.ts';
import { recordLogin } from './queries/record-login.ts';
import { createShortLivedCache } from './short-lived-cache.ts';

/** The options of a directory. */
export interface DirectoryOptions {
  readonly db: Database;
  readonly cacheMs?: number;
  /** If absent, the demo's passwords are accepted like others. */
  readonly demoPasswords?: DemoPasswordRefusal | undefined;
}

/**
 * Reads the configuration in `db`. Logins always query the database; the data that every operation needs is cached for
 * `cacheMs` (by default one second, as the operators' documentation promises).
 */
export function openDirectory({ db, cacheMs: maxAgeMs = 1_000, demoPasswords: refusal }: DirectoryOptions): Directory {
  const mounts = createShortLivedCache<Mounts>({ maxAgeMs });
  const clusters = createShortLivedCache<Cluster | undefined>({ maxAgeMs });
  const queues = createShortLivedCache<JobQueue[]>({ maxAgeMs });
  const systems = createShortLivedCache<Vfs | undefined>({ maxAgeMs });
  const storageClasses = createShortLivedCache<StorageClass[]>({ maxAgeMs });
  const storageClassNames = createShortLivedCache<string>({ maxAgeMs });
  const contractActions = createShortLivedCache<Action[]>({ maxAgeMs });
  const folderActions = createShortLivedCache<PatternedAction[]>({ maxAgeMs });
  const actionGrants = createShortLivedCache<GivenGrant[]>({ maxAgeMs });
  const legacyAlgorithms = createShortLivedCache<LegacyAlgorithm[]>({ maxAgeMs });
  const keyUses = createShortLivedCache<void>({ maxAgeMs });
  const logins = createShortLivedCache<void>({ maxAgeMs });
  const listQueues = () => queues.get('', () => findQueues(db));

  return {
    ...uncached(db),
    ...createAuthenticators(db, refusal),
    recordKeyUse: ({ id }, key) => keyUses.get(JSON.stringify([id, key]), () => recordKeyUse(db, id, key)),
    recordLogin: ({ id }) => logins.get(id, () => recordLogin(db, id)),
    listLegacyAlgorithms: () => legacyAlgorithms.get('', () => findLegacyAlgorithms(db)),
    findCluster: (name) => clusters.get(name, () => findCluster(db, name)),
    openMounts: ({ id }, server) =>
      mounts.get(JSON.stringify([id, server.cluster, server.server]), () => loadMounts(db, id, server)),
    findTriggeredActions: async ({ vfsId, path, trigger }) => {
      const file = parseVirtualPath(path);
      const folder = { vfsId, path: parentOf(file), trigger };
      const candidates = await folderActions.get(JSON.stringify(folder), () => findFolderActions(db, folder));
      return matching(candidates, nameOf(file));
    },
    findAction: async (contractName, actionName, actors) => {
      const name = searchableName(contractName);
      const actions = name === undefined ? [] : await contractActions.get(name, () => findContractActions(db, name));
      const reached = actions.filter(({ actorName }) => actors === undefined || actors.includes(actorName));
      return chosen(reached, contractName, actionName);
    },
    findActionGrants: async ({ contract, action, actorId, createdAt }) => {
      const key = JSON.stringify([contract, action]);
      const given = await actionGrants.get(key, () => findActionGrants(db, { contract, action }));
      const isGiven = (by: GivenGrant): boolean =>
        by.sinceMs <= createdAt.getTime() && (actorId === undefined || by.actorId === actorId);
      return given.filter(isGiven).map(({ grant }) => grant);
    },
    findQueue: async (name) => (await listQueues()).find((queue) => queue.name === name),
    listQueues,
    findVfs: (id) => systems.get(id, () => findVfs(db, id)),
    storageClassOf: (vfsId) => storageClassNames.get(vfsId, () => findStorageClassOf(db, vfsId)),
    listStorageClasses: () => storageClasses.get('', () => findStorageClasses(db)),
  };
}

/** What is asked rarely, or must not be a second old. */
function uncached(db: Database) {
  return {
    findPartnerUser: (name) => findPartnerUser(db, name),
    findManagerUser: (name) => findManagerUser(db, name),
    findLinkedUser: (link) => findLinkedUser(db, link),
    findActor: (name) => findActor(db, name),
    hasActor: (id) => hasActor(db, id),
    findClientConnection: (name, job) => findClientConnection(db, name, job),
    findPgpKey: (name, job) => findPgpKey(db, name, job),
    listClientConnections: () => listClientConnections(db),
    listPgpKeys: () => listPgpKeys(db),
    listTimeActions: () => findTimeActions(db),
    listExpectations: (vfsIds) => findExpectations(db, vfsIds),
    findExpectationActions: (raised) => findExpectationActions(db, raised),
    findWorkflowRevision: (templateId, revision) => findRevision(db, templateId, revision),
    findNewestRevision: (templateId) => findNewestRevision(db, templateId),
    findWorkflow: async (name) => {
      const searched = searchableName(name);
      return searched === undefined ? undefined : await findWorkflow(db, searched);
    },
    findVfsActor: (name) => findVfsActor(db, name),
    findVfsByName: (name) => findVfsByName(db, name),
    listRetention: () => findRetention(db),
    retentionOf: (vfsId) => findRetentionOf(db, vfsId),
  } satisfies Partial<Directory>;
}

function matching(candidates: readonly PatternedAction[], name: string): Action[] {
  return candidates.filter(({ filePattern }) => matchesPattern(name, filePattern)).map(({ action }) => action);
}

function chosen(actions: readonly Action[], contractName: string, actionName: string): Action {
  if (actions.length === 0) {
    throw new CodedError('contract_unknown', { detail: `There is no enabled contract named ${contractName}` });
  }
  const action = actions.find((action) => action.actionName === actionName);
  if (action) return action;
  throw new CodedError('action_unknown', { detail: `Contract ${contractName} has no action named ${actionName}` });
}
