import { hashPassword } from '@waybill/access/hash-password';
import { builtInSource } from '@waybill/contracts/configuration/configuration-source';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { ConfiguredPassword } from '@waybill/contracts/configuration/user-configuration';
import type { Database } from '@waybill/postgres/database';
import { checkConfiguredPasswords } from '../accounts/check-configured-passwords.ts';
import type { PasswordHashes } from '../apply/prepare-password-hashes.ts';
import { type OnlyConfiguration, refuseSettings } from './only-entity.ts';

/** @throws CodedError `validation_failed` for a password that an account policy refuses */
export async function assertPasswords(db: Database, { configuration, settingOf }: OnlyConfiguration): Promise<void> {
  const faults = await checkConfiguredPasswords(db, { ...configuration, source: builtInSource });
  if (faults.length > 0) refuseSettings(faults.map((fault) => ({ ...fault, field: settingOf(fault.field) })));
}

/** Hashes each password once. */
export function hashOnce(): (password: string) => Promise<string> {
  const hashes = new Map<string, Promise<string>>();
  return (password) => {
    const hash = hashes.get(password) ?? hashPassword(password);
    hashes.set(password, hash);
    return hash;
  };
}

/** The hashes of the passwords that a configuration sets, by the names of the users. */
export async function hashesOf(
  { managerUsers, actors }: PlatformConfiguration,
  hash: (password: string) => Promise<string>,
): Promise<PasswordHashes> {
  const hashed = async (users: readonly { name: string; password?: ConfiguredPassword | undefined }[]) => {
    const named = users.map(async ({ name, password }): Promise<[string, string][]> =>
      typeof password === 'string' ? [[name, await hash(password)]] : [],
    );
    return new Map((await Promise.all(named)).flat());
  };
  return { manager: await hashed(managerUsers), partner: await hashed(actors.flatMap(({ users }) => users)) };
}
