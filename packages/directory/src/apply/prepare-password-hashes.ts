import { hashPassword } from '@waybill/access/hash-password';
import { verifyPassword } from '@waybill/access/verify-password';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Database } from '@waybill/postgres/database';

/** Hashes of the configuration's passwords by user name; `null` for a user without one. */
export interface PasswordHashes {
  readonly manager: ReadonlyMap<string, string>;
  readonly partner: ReadonlyMap<string, string | null>;
}

/**
 * The origin of a password. A `given` password is set even if the user has changed it since. A `default` sets the first
 * password of a user and never replaces one.
 */
export type PasswordOrigin = 'given' | 'default';

/**
 * Origins of passwords by user name. A password without an origin is set if it differs from the last configured one.
 */
export interface PasswordOrigins {
  readonly manager: ReadonlyMap<string, PasswordOrigin>;
  readonly partner: ReadonlyMap<string, PasswordOrigin>;
  /** Called for each user who keeps a password other than the one in the configuration. */
  kept(userName: string, origin: PasswordOrigin | undefined): void;
}

interface User {
  readonly name: string;
  readonly password?: string | undefined;
}

/** The current password of a user, and the last configured one. */
interface StoredHashes {
  readonly current: string | null;
  readonly configured: string | null;
}

/**
 * Hashes the passwords of a configuration. A password that matches the last configured hash keeps it, so that
 * applying twice changes nothing. Runs before the transaction begins, because hashing is slow.
 */
export async function preparePasswordHashes(
  db: Database,
  { managerUsers, actors }: PlatformConfiguration,
  origins?: PasswordOrigins,
): Promise<PasswordHashes> {
  const partners: User[] = actors.flatMap(({ users }) => users);
  const kept: PasswordOrigins['kept'] = (name, origin) => origins?.kept(name, origin);
  const [manager, partner] = await Promise.all([
    hashesOf(managerUsers, await storedHashes(db, 'manager_users'), { of: origins?.manager, kept }),
    hashesOf(partners, await storedHashes(db, 'partner_users'), { of: origins?.partner, kept }),
  ]);
  return {
    manager,
    partner: new Map(partners.map(({ name }) => [name, partner.get(name) ?? null])),
  };
}

async function hashesOf(
  users: readonly User[],
  stored: ReadonlyMap<string, StoredHashes>,
  origins: { of: ReadonlyMap<string, PasswordOrigin> | undefined; kept: PasswordOrigins['kept'] },
): Promise<Map<string, string>> {
  const hashes = await Promise.all(
    users.map(async ({ name, password }): Promise<[string, string][]> => {
      if (password === undefined) return [];
      const { current = null, configured = null } = stored.get(name) ?? {};
      const origin = origins.of?.get(name);
      const isUnchanged = configured !== null && (await verifyPassword(configured, password));
      const isInForce =
        current !== null && (current === configured ? isUnchanged : await verifyPassword(current, password));
      const replaces = current === null || origin === 'given' || (origin === undefined && !isUnchanged);
      if (replaces && !(isUnchanged && isInForce)) return [[name, await hashPassword(password)]];
      if (!isInForce) origins.kept(name, origin);
      return configured === null ? [] : [[name, configured]];
    }),
  );
  return new Map(hashes.flat());
}

async function storedHashes(
  db: Database,
  table: 'manager_users' | 'partner_users',
): Promise<Map<string, StoredHashes>> {
  const rows = await db<{ name: string; password_hash: string | null; configured_password_hash: string | null }>(
    `directory.${table}`,
  ).select('name', 'password_hash', 'configured_password_hash');
  return new Map(
    rows.map((row) => [row.name, { current: row.password_hash, configured: row.configured_password_hash }]),
  );
}
