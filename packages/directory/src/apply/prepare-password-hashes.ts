import { hashPassword } from '@waybill/access/hash-password';
import { verifyPassword } from '@waybill/access/verify-password';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Database } from '@waybill/postgres/database';

/** Hashes of the configuration's passwords by user name; `null` for a user without one. */
export interface PasswordHashes {
  readonly manager: ReadonlyMap<string, string>;
  readonly partner: ReadonlyMap<string, string | null>;
}

/** Users whose password in the configuration is only a default: it sets their first password and replaces none. */
export interface DefaultPasswords {
  readonly manager: ReadonlySet<string>;
  readonly partner: ReadonlySet<string>;
  /** Called for each of them who has another password than the default, and keeps it. */
  kept(userName: string): void;
}

interface User {
  readonly name: string;
  readonly password?: string | undefined;
}

/** The password that a user has, and the one that was configured last. */
interface StoredHashes {
  readonly current: string | null;
  readonly configured: string | null;
}

/**
 * Hashes the passwords of a configuration; one that fits the hash of what was configured last keeps that, so that
 * applying twice changes nothing. Done before the transaction begins, because hashing takes its time.
 */
export async function preparePasswordHashes(
  db: Database,
  { managerUsers, actors }: PlatformConfiguration,
  defaults?: DefaultPasswords,
): Promise<PasswordHashes> {
  const partners: User[] = actors.flatMap(({ users }) => users);
  const kept = (name: string): void => defaults?.kept(name);
  const [manager, partner] = await Promise.all([
    hashesOf(managerUsers, await storedHashes(db, 'manager_users'), { names: defaults?.manager, kept }),
    hashesOf(partners, await storedHashes(db, 'partner_users'), { names: defaults?.partner, kept }),
  ]);
  return {
    manager,
    partner: new Map(partners.map(({ name }) => [name, partner.get(name) ?? null])),
  };
}

async function hashesOf(
  users: readonly User[],
  stored: ReadonlyMap<string, StoredHashes>,
  defaults: { names: ReadonlySet<string> | undefined; kept(name: string): void },
): Promise<Map<string, string>> {
  const hashes = await Promise.all(
    users.map(async ({ name, password }): Promise<[string, string][]> => {
      if (password === undefined) return [];
      const { current = null, configured = null } = stored.get(name) ?? {};
      const fits = configured !== null && (await verifyPassword(configured, password));
      if (fits) return [[name, configured]];
      if (current === null || !defaults.names?.has(name)) return [[name, await hashPassword(password)]];
      defaults.kept(name);
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
