import { hashPassword } from '@waybill/access/hash-password';
import { verifyPassword } from '@waybill/access/verify-password';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { ConfiguredPassword } from '@waybill/contracts/configuration/user-configuration';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Database } from '@waybill/postgres/database';
import { checkConfiguredPasswords } from '../accounts/check-configured-passwords.ts';
import { refuseFaults } from '../checks/check-document.ts';
import { faultsOfSource } from '../checks/faults-of-source.ts';
import type { DescribedFor } from '../sources/with-others.ts';

/** Hashes of the configuration's passwords by user name; `null` for a user without one. A user who keeps theirs has none. */
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
  readonly password?: ConfiguredPassword | undefined;
}

/** The current password of a user, and the last configured one. */
interface StoredHashes {
  readonly current: string | null;
  readonly configured: string | null;
}

/** A configuration whose passwords are hashed. */
export interface PasswordsToPrepare extends DescribedFor {
  readonly db: Database;
  readonly configuration: PlatformConfiguration;
  readonly passwordOrigins?: PasswordOrigins | undefined;
}

/**
 * The hashes for a configuration. Passwords that are refused are reported with everything else that is wrong.
 * @throws CodedError `configuration_invalid`
 */
export async function preparePasswords(options: PasswordsToPrepare): Promise<PasswordHashes> {
  const { db, configuration, passwordOrigins } = options;
  try {
    return await preparePasswordHashes(db, configuration, passwordOrigins);
  } catch (error) {
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    const faults = await faultsOfSource(db, configuration, options);
    if (faults.length > 0) refuseFaults([...faults, ...error.fields]);
    throw error;
  }
}

/**
 * Hashes the passwords of a configuration. A password that matches the last configured hash keeps it, so that
 * applying twice changes nothing. Runs before the transaction begins, because hashing is slow.
 * @throws CodedError `configuration_invalid` for a password that an account policy refuses, unless the user has it already
 */
async function preparePasswordHashes(
  db: Database,
  configuration: PlatformConfiguration,
  origins?: PasswordOrigins,
): Promise<PasswordHashes> {
  const { managerUsers, actors } = configuration;
  const partners: User[] = actors.flatMap(({ users }) => users);
  const kept: PasswordOrigins['kept'] = (name, origin) => origins?.kept(name, origin);
  const [manager, partner] = await Promise.all([
    hashesOf(managerUsers, await storedHashes(db, 'manager_users'), { of: origins?.manager, kept }),
    hashesOf(partners, await storedHashes(db, 'partner_users'), { of: origins?.partner, kept }),
  ]);
  const isNew = { manager: manager.replaced, partner: partner.replaced };
  const fields = await checkConfiguredPasswords(db, configuration, (kind, name) => isNew[kind].has(name));
  if (fields.length > 0) {
    const shown = fields.map(({ field, message }) => `${field}: ${message}`);
    throw new CodedError('configuration_invalid', { detail: `Passwords are refused: ${shown.join('; ')}`, fields });
  }
  return {
    manager: manager.hashes,
    partner: new Map(
      partners
        .filter(({ password }) => typeof password !== 'object')
        .map(({ name }) => [name, partner.hashes.get(name) ?? null]),
    ),
  };
}

async function hashesOf(
  users: readonly User[],
  stored: ReadonlyMap<string, StoredHashes>,
  origins: { of: ReadonlyMap<string, PasswordOrigin> | undefined; kept: PasswordOrigins['kept'] },
): Promise<{ hashes: Map<string, string>; replaced: ReadonlySet<string> }> {
  const replaced = new Set<string>();
  const hashes = await Promise.all(
    users.map(async ({ name, password }): Promise<[string, string][]> => {
      if (typeof password !== 'string') return [];
      const { current = null, configured = null } = stored.get(name) ?? {};
      const origin = origins.of?.get(name);
      const isUnchanged = configured !== null && (await verifyPassword(configured, password));
      const isInForce =
        current !== null && (current === configured ? isUnchanged : await verifyPassword(current, password));
      const replaces = current === null || origin === 'given' || (origin === undefined && !isUnchanged);
      if (replaces && !(isUnchanged && isInForce)) {
        replaced.add(name);
        return [[name, await hashPassword(password)]];
      }
      if (!isInForce) origins.kept(name, origin);
      return configured === null ? [] : [[name, configured]];
    }),
  );
  return { hashes: new Map(hashes.flat()), replaced };
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
