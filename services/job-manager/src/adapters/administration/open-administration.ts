import { createKeysOfUsers, type KeysOfUsers } from '@waybill/directory/accounts/keys-of-users';
import { assertEntityReached } from '@waybill/directory/administration/assert-may-write';
import { versionOf } from '@waybill/directory/administration/entity-version';
import { unknownEntity } from '@waybill/directory/administration/unknown-entity';
import { deleteEntity, type EntityWriter, putEntity } from '@waybill/directory/administration/write-entity';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import { listEntities, readEntity, type StoredEntity } from '@waybill/directory/sources/stored-entities';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { type Config, type JobSite, operatorUrlOf } from '../../config.ts';
import type { Administration, Administrator, ConfiguredObject } from '../../domain/administration/administration.ts';
import type { Configurations } from '../../domain/administration/configurations.ts';
import type { Ownership } from '../../domain/administration/ownership.ts';
import type { StoredSecrets } from '../../domain/administration/stored-secrets.ts';
import { explainWithLimits } from './explain-with-limits.ts';
import { createConfigurations } from './open-configurations.ts';
import { createOwnership } from './open-ownership.ts';
import { createStoredSecrets } from './open-stored-secrets.ts';
import { filePortsOf, makeFoldersOf, type WrittenAt } from './written-files.ts';

/** Connections of a process as the operator, which are needed rarely. */
const poolSize = 4;

/** How many connections a process with these settings may open as the operator. */
export function operatorConnectionsOf({ ROLE, OPERATOR_DATABASE_URL: url }: Config): number {
  return url !== undefined && (ROLE === 'all' || ROLE === 'api') ? poolSize : 0;
}

/** The configuration, one object at a time and as a whole. */
export interface OpenAdministration {
  readonly administration: Administration;
  readonly configurations: Configurations;
  readonly ownership: Ownership;
  readonly keysOfUsers: KeysOfUsers;
  readonly storedSecrets: StoredSecrets;
}

/** Administers the configuration with the rights of the operator; `undefined` if this process does not have them. */
export function openAdministration(parts: {
  config: Config;
  site: JobSite;
  redis: RedisConnection;
  resources: AsyncDisposableStack;
  env: Readonly<Record<string, string | undefined>>;
}): OpenAdministration | undefined {
  const { config, site, redis, resources, env } = parts;
  const url = operatorUrlOf(config);
  if (url === undefined) return undefined;
  const db = connectPostgres({ url, poolSize, applicationName: 'waybill job-manager' });
  resources.defer(() => db.destroy());
  const at = { nodeId: site.nodeName, managerName: site.managerName };
  const explain = explainWithLimits({ db, redis, ipv6PrefixBits: config.CLIENT_IPV6_PREFIX_BITS });
  return {
    administration: { ...createAdministration(db, at), explain },
    configurations: createConfigurations(db, at),
    ownership: createOwnership(db, at),
    keysOfUsers: createKeysOfUsers(db, at),
    storedSecrets: createStoredSecrets(db, at, openKeyRingSource(env, { maxAgeMs: config.KEY_RELOAD_SECONDS * 1_000 })),
  };
}

function createAdministration(db: Database, at: WrittenAt): Omit<Administration, 'explain'> {
  const writerFor = ({ userName, grants, actors }: Administrator): EntityWriter => ({
    db,
    files: filePortsOf(db),
    by: { user: userName, ...at },
    rights: { grants, actors },
  });
  /** What belongs to others is not disclosed by other refusals either. */
  const hideUnreached = async (target: EntityTarget, { actors }: Administrator): Promise<void> => {
    const stored = actors && (await readEntity(db, target));
    if (stored) assertEntityReached(target, stored.definition, actors);
  };
  return {
    list: async ({ limit, ...query }) => {
      const entities = await listEntities(db, { ...query, limit: limit + 1 });
      const last = entities.length > limit ? entities[limit - 1] : undefined;
      return {
        objects: entities.slice(0, limit).map(objectOf),
        ...(last && { next: { name: last.name, id: last.id } }),
      };
    },
    find: async (target, { actors }) => {
      const stored = (await readEntity(db, target)) ?? refuseUnknown(target);
      assertEntityReached(target, stored.definition, actors);
      return objectOf(stored);
    },
    put: async (target, { settings, by, ...conditions }) => {
      await hideUnreached(target, by);
      const { change, entity } = await putEntity(writerFor(by), target, {
        ...conditions,
        settings: (stored) => settings(stored?.definition),
      });
      const object = objectOf(entity ?? refuseUnknown(target));
      if (target.entityType === 'VFS') await makeFoldersOf(db, object);
      return { object, isNew: change?.change === 'created' };
    },
    remove: async (target, { by, ...conditions }) => {
      await hideUnreached(target, by);
      await deleteEntity(writerFor(by), target, conditions);
    },
  };
}

function objectOf(entity: StoredEntity): ConfiguredObject {
  const { id, name, source, definition } = entity;
  return { id, name, source, definition, version: versionOf(entity) };
}

function refuseUnknown(target: Parameters<typeof unknownEntity>[0]): never {
  throw unknownEntity(target);
}
