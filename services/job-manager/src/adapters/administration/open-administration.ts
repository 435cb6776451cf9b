import { createKeysOfUsers, type KeysOfUsers } from '@waybill/directory/accounts/keys-of-users';
import { assertEntityReached } from '@waybill/directory/administration/assert-may-write';
import { versionOf } from '@waybill/directory/administration/entity-version';
import { renewFirstPassword } from '@waybill/directory/administration/renew-first-password';
import { unknownEntity } from '@waybill/directory/administration/unknown-entity';
import { deleteEntity, putEntity, rehearseWrites, writeEntities } from '@waybill/directory/administration/write-entity';
import type { EntityWrite, EntityWriter } from '@waybill/directory/administration/write-in-transaction';
import type { Directory } from '@waybill/directory/directory';
import { isPlanApplied } from '@waybill/directory/plans/is-plan-applied';
import { listRevisions, readRevision } from '@waybill/directory/queries/list-revisions';
import { listEntities, listParts } from '@waybill/directory/sources/list-entities';
import { readEntity, type StoredEntity } from '@waybill/directory/sources/stored-entities';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { type Config, type JobSite, operatorUrlOf } from '../../config.ts';
import type { ApiKeys } from '../../domain/access/api-keys.ts';
import type {
  Administration,
  Administrator,
  ConfiguredObject,
  ObjectWrite,
} from '../../domain/administration/administration.ts';
import type { ConfigurationEvents, ConfigurationsInTurn } from '../../domain/administration/configurations.ts';
import type { ConnectionSshKeys } from '../../domain/administration/connection-ssh-keys.ts';
import { createListExpiries, type ListExpiries } from '../../domain/administration/expiries.ts';
import type { Ownership } from '../../domain/administration/ownership.ts';
import type { StoredSecrets } from '../../domain/administration/stored-secrets.ts';
import { configurationPoolSize, openConfigurationProcesses } from './configuration-process.ts';
import { explainWithLimits } from './explain-with-limits.ts';
import { createConnectionSshKeys } from './open-connection-ssh-keys.ts';
import { createOwnership } from './open-ownership.ts';
import { createStoredSecrets } from './open-stored-secrets.ts';
import { presentChanges } from './present-changes.ts';
import { presentPreview } from './present-preview.ts';
import { createReadExpiring } from './read-expiring.ts';
import { createSizedConfigurations } from './sized-configurations.ts';
import { filePortsOf, makeFolders, makeFoldersOf, type WrittenAt } from './written-files.ts';

/** Connections of a process as the operator, which are needed rarely. */
const poolSize = 4;

/** How long a process waits for the end of a transaction of another one that has died. */
const endOfPlanMs = 10_000;

/** How many connections a process with these settings may open as the operator. */
export function operatorConnectionsOf({ ROLE, OPERATOR_DATABASE_URL: url }: Config): number {
  return url !== undefined && (ROLE === 'all' || ROLE === 'api') ? poolSize + configurationPoolSize : 0;
}

/** The configuration, one object at a time and as a whole. */
export interface OpenAdministration {
  readonly administration: Administration;
  readonly configurations: ConfigurationsInTurn;
  readonly ownership: Ownership;
  readonly keysOfUsers: KeysOfUsers;
  readonly storedSecrets: StoredSecrets;
  readonly connectionSshKeys: ConnectionSshKeys;
  readonly listExpiries: ListExpiries;
}

/** Administers the configuration with the rights of the operator; `undefined` if this process does not have them. */
export function openAdministration(parts: {
  config: Config;
  site: JobSite;
  redis: RedisConnection;
  resources: AsyncDisposableStack;
  env: Readonly<Record<string, string | undefined>>;
  directory: Directory;
  apiKeys: ApiKeys;
  events: ConfigurationEvents;
}): OpenAdministration | undefined {
  const { config, site, redis, resources, env } = parts;
  const url = operatorUrlOf(config);
  if (url === undefined) return undefined;
  const db = connectPostgres({ url, poolSize, applicationName: 'waybill job-manager' });
  resources.defer(() => db.destroy());
  const at = { nodeId: site.nodeName, managerName: site.managerName };
  const { CONFIGURATION_HEAP_MEBIBYTES: heapMebibytes, CONFIGURATION_SECONDS: seconds } = config;
  const processes = resources.use(
    openConfigurationProcesses(
      env,
      { heapMebibytes, seconds },
      {
        ...parts.events,
        isInForce: async (planId) => await isPlanApplied(db, planId, endOfPlanMs).catch(() => undefined),
      },
    ),
  );
  const ringSource = openKeyRingSource(env, { maxAgeMs: config.KEY_RELOAD_SECONDS * 1_000 });
  const explain = explainWithLimits({ db, redis, ipv6PrefixBits: config.CLIENT_IPV6_PREFIX_BITS });
  return {
    administration: { ...createAdministration(db, at), explain },
    configurations: createSizedConfigurations({ db, url, at, processes }),
    ownership: createOwnership(db, at),
    listExpiries: createListExpiries(createReadExpiring({ ...parts, db })),
    keysOfUsers: createKeysOfUsers(db, at),
    storedSecrets: createStoredSecrets(db, at, ringSource),
    connectionSshKeys: createConnectionSshKeys(db, at, ringSource),
  };
}

function createAdministration(db: Database, at: WrittenAt): Omit<Administration, 'explain'> {
  const writerFor = ({ userName, grants, actors, apiKeyId, isProved }: Administrator): EntityWriter => ({
    db,
    files: filePortsOf(db),
    by: { user: userName, ...at },
    rights: { grants, actors, apiKeyId, isProved },
  });
  return {
    listRevisions: (name, page) => listRevisions(db, name, page),
    readRevision: (name, revision) => readRevision(db, name, revision),
    list: async ({ limit, ...query }) => {
      const entities = await listEntities(db, { ...query, limit: limit + 1 });
      const last = entities.length > limit ? entities[limit - 1] : undefined;
      return {
        objects: entities.slice(0, limit).map(objectOf),
        ...(last && {
          next: { name: last.name, id: last.id, ...(query.sort && { value: last.sortValue }) },
        }),
      };
    },
    listParts: (query) => listParts(db, query),
    find: async (target, { actors }) => {
      const stored = (await readEntity(db, target)) ?? refuseUnknown(target);
      assertEntityReached(target, stored.definition, actors);
      return objectOf(stored);
    },
    ...changesTogether(db, writerFor),
    put: async ({ target, settings, ...conditions }, by) => {
      const { change, entity } = await putEntity(writerFor(by), target, {
        ...conditions,
        settings: (stored) => settings(stored?.definition),
      });
      const object = objectOf(entity ?? refuseUnknown(target));
      if (target.entityType === 'VFS') await makeFoldersOf(db, object);
      return { object, isNew: change?.change === 'created' };
    },
    renewFirstPassword: (userName, by) => renewFirstPassword(writerFor(by), userName),
    remove: async ({ target, ...conditions }, by) => {
      await deleteEntity(writerFor(by), target, conditions);
    },
  };
}

/** Changes that are made together, or only looked at. */
function changesTogether(
  db: Database,
  writerFor: (by: Administrator) => EntityWriter,
): Pick<Administration, 'preview' | 'change'> {
  return {
    preview: async (writes, by) =>
      await presentPreview(db, await rehearseWrites(writerFor(by), writes.map(entityWriteOf))),
    change: async (writes, by) => {
      const { changes, broken } = await writeEntities(writerFor(by), writes.map(entityWriteOf));
      await makeFolders(db, changes);
      return { changes: presentChanges(changes, new Set()), broken };
    },
  };
}

function entityWriteOf(write: ObjectWrite): EntityWrite {
  const { settings } = write;
  return { ...write, settings: settings && ((stored) => settings(stored?.definition)) };
}

function objectOf(entity: StoredEntity): ConfiguredObject {
  const { id, name, source, definition, times = {} } = entity;
  return { id, name, source, definition, times, version: versionOf(entity) };
}

function refuseUnknown(target: Parameters<typeof unknownEntity>[0]): never {
  throw unknownEntity(target);
}
