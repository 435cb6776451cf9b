import type { Principal } from '@waybill/access/principal';
import { listCertificates } from '@waybill/certificates/list-certificates';
import { authoritiesOf, type ClientConnection } from '@waybill/contracts/configuration/connections/client-connection';
import { listExpiringLogins } from '@waybill/directory/accounts/list-expiring-logins';
import type { Directory } from '@waybill/directory/directory';
import { describePublicKey } from '@waybill/pgp/pgp-key';
import type { Database } from '@waybill/postgres/database';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { readPresences } from '@waybill/redis/presence/read-presences';
import type { ApiKeys } from '../../domain/access/api-keys.ts';
import type { ExpiringThing, ReadExpiring } from '../../domain/administration/expiries.ts';

interface Parts {
  readonly db: Database;
  readonly directory: Pick<Directory, 'listPgpKeys' | 'listClientConnections'>;
  readonly apiKeys: Pick<ApiKeys, 'list'>;
  readonly redis: RedisConnection;
}

/** Reads what expires from where it is kept. */
export function createReadExpiring(parts: Parts): ReadExpiring {
  return async (by) =>
    (
      await Promise.all([
        readLogins(parts),
        readApiKeys(parts, by),
        readConnections(parts),
        readPgpKeys(parts),
        readReports(parts),
      ])
    ).flat();
}

async function readLogins({ db }: Parts): Promise<ExpiringThing[]> {
  const logins = await listExpiringLogins(db);
  return logins.map(({ userName: name, actorName: actor, fingerprint, expiresAt }) => ({
    kind: fingerprint === undefined ? 'legacy-algorithms' : 'user-ssh-key',
    name,
    actor,
    detail: fingerprint ?? '',
    expiresAt,
  }));
}

async function readApiKeys({ apiKeys }: Parts, by: Principal): Promise<ExpiringThing[]> {
  const keys = await apiKeys.list(by);
  return keys.map(({ name, user, expiresAt }) => ({
    kind: 'api-key',
    name,
    actor: null,
    detail: user,
    expiresAt: new Date(expiresAt),
  }));
}

async function readConnections({ directory }: Parts): Promise<ExpiringThing[]> {
  const connections = await directory.listClientConnections();
  return connections.flatMap(({ owner, connection }) => {
    const { name } = connection;
    const actor = owner === '' ? null : owner;
    return expiringOf(connection).map((thing) => ({ ...thing, name, actor }));
  });
}

/** What expires of a connection: its private key, and the authorities that it trusts. */
function expiringOf(connection: ClientConnection): Pick<ExpiringThing, 'kind' | 'detail' | 'expiresAt'>[] {
  if (connection.type === 'sftp') {
    const { keyExpires, host: detail } = connection;
    return keyExpires === undefined ? [] : [{ kind: 'connection-ssh-key', detail, expiresAt: new Date(keyExpires) }];
  }
  return listCertificates(authoritiesOf(connection)).map(({ subject: detail, expiresAt }) => ({
    kind: 'connection-certificate',
    detail,
    expiresAt,
  }));
}

/** What running processes have reported. They belong to no actor. */
async function readReports({ redis }: Parts): Promise<ExpiringThing[]> {
  const running = (await readPresences(redis)).filter(({ isSilent }) => !isSilent);
  return running.flatMap(({ service, node, role = null, expiring = [] }) =>
    expiring.map(({ expiresAt, ...thing }) => ({
      ...thing,
      actor: null,
      expiresAt: new Date(expiresAt),
      process: { service, node, role },
    })),
  );
}

async function readPgpKeys({ directory }: Parts): Promise<ExpiringThing[]> {
  const found: ExpiringThing[] = [];
  for (const { owner, key } of await directory.listPgpKeys()) {
    const facts = await describePublicKey(key.publicKey, key.name).catch(() => undefined);
    if (facts !== undefined && facts.expiresAt === undefined) continue;
    const actor = owner === '' ? null : owner;
    found.push({
      kind: 'pgp-key',
      name: key.name,
      actor,
      detail: facts?.fingerprint ?? '',
      expiresAt: facts?.expiresAt,
    });
  }
  return found;
}
