import { hashPassword } from '@waybill/access/hash-password';
import { builtInSource } from '@waybill/contracts/configuration/configuration-source';
import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { type ConfiguredPassword, managerUserSchema } from '@waybill/contracts/configuration/user-configuration';
import type { Queryable } from '@waybill/postgres/database';
import { z } from 'zod';
import { checkConfiguredPasswords } from '../accounts/check-configured-passwords.ts';
import type { PasswordHashes } from '../apply/prepare-password-hashes.ts';
import type { EntityTarget } from '../sources/entity-target.ts';
import { type OnlyConfiguration, refuseSettings } from './only-entity.ts';

const usersWithPasswords: ReadonlySet<EntityType> = new Set<EntityType>(['Internal User', 'External User']);

const passwordSchema = z.looseObject({ password: managerUserSchema.shape.password });

/**
 * Checks passwords by the account policies of the moment: in a transaction, as it has made them.
 * @throws CodedError `validation_failed` for a password that an account policy refuses
 */
export async function assertPasswords(on: Queryable, { configuration, settingOf }: OnlyConfiguration): Promise<void> {
  const faults = await checkConfiguredPasswords(on, { ...configuration, source: builtInSource });
  if (faults.length > 0) refuseSettings(faults.map((fault) => ({ ...fault, field: settingOf(fault.field) })));
}

/**
 * Hashes the passwords of changes, each once, and returns what does that. Hashing is slow, and in the transaction others would
 * wait for it: what is written is checked there only, because it depends on the changes before it.
 */
export async function hashBefore(
  writes: readonly { readonly target: EntityTarget; readonly settings?: ((stored: undefined) => object) | undefined }[],
): Promise<(password: string) => Promise<string>> {
  const hashes = new Map<string, Promise<string>>();
  const hash = (password: string): Promise<string> => {
    const hashed = hashes.get(password) ?? hashPassword(password);
    hashes.set(password, hashed);
    return hashed;
  };
  for (const { target, settings } of writes) {
    if (!usersWithPasswords.has(target.entityType)) continue;
    const { data } = passwordSchema.safeParse(settings?.(undefined));
    if (typeof data?.password === 'string') await hash(data.password);
  }
  return hash;
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
