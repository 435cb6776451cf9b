import { reencryptSecondFactors } from '@waybill/access/second-factors/sealed-totp-secret';
import { assertSecretUnused, holdSecretOwner } from '@waybill/directory/queries/find-secret-uses';
import type { Queryable } from '@waybill/postgres/database';
import { type KeyRing, newKeyRingEntry } from '@waybill/secrets/key-ring';
import { accessKeyRingSetting, keyRingSetting, openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { deleteSecret, listSecrets, setSecret } from '@waybill/secrets/manage-secrets';
import { reencryptSecrets } from '@waybill/secrets/read-secrets';
import { readSecretVariable } from '@waybill/service-kit/config/secret-source';
import { changedBy } from '../../changed-by.ts';
import type { Command, Invocation } from '../../command.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { asksPlatform, orInDatabase } from '../../platform/asks-platform.ts';
import { choiceOf, givenTexts } from '../../platform/option-values.ts';
import { readSecretInput } from './read-secret-input.ts';
import {
  deleteSecretRemotelyCommand,
  listSecretsRemotelyCommand,
  printSecrets,
  secretOrders,
  setSecretRemotelyCommand,
} from './remote-secret-commands.ts';
import { nameOf, secretIdOf } from './secret-identity.ts';

/** Stores a secret, in a database or on a platform. */
export const setSecretCommand: Command = {
  ...setSecretRemotelyCommand,
  options: orInDatabase(setSecretRemotelyCommand.options),
  run: async (invocation) => {
    if (await asksPlatform(invocation)) return await setSecretRemotelyCommand.run(invocation);
    const id = secretIdOf(invocation);
    const ring = openKeyRingSource(invocation.env, { maxAgeMs: 0 })();
    const value = await readSecretInput(invocation);
    const change = { ring, id, value, by: changedBy(invocation.env) };
    const { isNew } = await withPreparedDatabase(invocation, (db) =>
      setSecret(db, { ...change, holdOwner: holdSecretOwner }),
    );
    invocation.out(`${isNew ? '+' : '~'} Secret ${nameOf(id)} (key ${ring.activeId})`);
  },
};

/** Shows what secrets a database or a platform has, without their values. */
export const listSecretsCommand: Command = {
  ...listSecretsRemotelyCommand,
  options: orInDatabase(listSecretsRemotelyCommand.options),
  run: async (invocation) => {
    if (await asksPlatform(invocation)) return await listSecretsRemotelyCommand.run(invocation);
    const { actor, name } = givenTexts(invocation.values, ['actor', 'name']);
    const sort = choiceOf(invocation.values, 'sort', secretOrders) ?? 'actor';
    const order = { by: sort.endsWith('name') ? 'name' : 'owner', descending: sort.startsWith('-') } as const;
    const wanted = { name, order, ...(actor !== undefined && { owners: [actor] }) };
    const secrets = await withPreparedDatabase(invocation, (db) => listSecrets(db, wanted));
    const shown = secrets.map(({ owner, name, keyId, updatedAt }) => ({
      name,
      actor: owner === '' ? null : owner,
      keyId,
      updatedAt: updatedAt.toISOString(),
    }));
    printSecrets(invocation, shown);
  },
};

/** Deletes a secret, in a database or on a platform. */
export const deleteSecretCommand: Command = {
  ...deleteSecretRemotelyCommand,
  options: orInDatabase(deleteSecretRemotelyCommand.options),
  run: async (invocation) => {
    if (await asksPlatform(invocation)) return await deleteSecretRemotelyCommand.run(invocation);
    const id = secretIdOf(invocation);
    const isForced = invocation.values['force'] === true;
    const check = isForced ? undefined : (trx: Queryable) => assertSecretUnused(trx, id);
    await withPreparedDatabase(invocation, (db) => deleteSecret(db, id, { by: changedBy(invocation.env), check }));
    invocation.out(`- Secret ${nameOf(id)}`);
  },
};

/** The last step of a rotation of keys. It decrypts: so it needs the database role of the job manager. */
export const reencryptSecretsCommand: Command = {
  summary:
    'Encrypts all secrets with the first key of SECRET_KEYS, and second factors with that of ACCESS_SECRET_KEYS, so that the others can be removed. Needs the environment of a job manager.',
  examples: ['waybill secret reencrypt'],
  run: async (invocation) => {
    const { env } = invocation;
    if (readSecretVariable(env, accessKeyRingSetting) === undefined) return await reencryptStored(invocation);
    const ring = openKeyRingSource(env, { maxAgeMs: Infinity, setting: accessKeyRingSetting })();
    const count = await withPreparedDatabase(invocation, (db) => reencryptSecondFactors(db, ring));
    invocation.out(`${count} second factors re-encrypted with the key ${ring.activeId}.`);
    reportRetired(invocation, ring, 'second factor');
    if (readSecretVariable(env, keyRingSetting) !== undefined) await reencryptStored(invocation);
  },
};

async function reencryptStored(invocation: Invocation): Promise<void> {
  const ringSource = openKeyRingSource(invocation.env, { maxAgeMs: Infinity });
  const ring = ringSource();
  const by = changedBy(invocation.env);
  const count = await withPreparedDatabase(invocation, (db) => reencryptSecrets(db, ringSource, by));
  invocation.out(`${count} secrets re-encrypted with the key ${ring.activeId}.`);
  reportRetired(invocation, ring, 'secret');
}

function reportRetired({ out }: Invocation, { ids }: KeyRing, what: string): void {
  if (ids.length > 1) out(`No ${what} needs these keys any more: ${ids.slice(1).join(', ')}`);
}

/** The first step of a rotation, and of an installation. */
export const newSecretKeyCommand: Command = {
  summary: 'Prints a new entry for SECRET_KEYS. Put it first: the first key encrypts, the others still decrypt.',
  examples: ['waybill secret new-key'],
  run: ({ out }) => {
    out(newKeyRingEntry());
    return Promise.resolve();
  },
};
