import { reencryptSecondFactors } from '@waybill/access/second-factors/sealed-totp-secret';
import { type KeyRing, newKeyRingEntry } from '@waybill/secrets/key-ring';
import { accessKeyRingSetting, keyRingSetting, openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { deleteSecret, listSecrets, setSecret } from '@waybill/secrets/manage-secrets';
import { reencryptSecrets } from '@waybill/secrets/read-secrets';
import { readSecretVariable } from '@waybill/service-kit/config/secret-source';
import { changedBy } from '../../changed-by.ts';
import type { Command, Invocation } from '../../command.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { readSecretInput } from './read-secret-input.ts';
import { nameOf, secretIdOf } from './secret-identity.ts';

const actorOption = { actor: { type: 'string' } } as const;

/** Stores a secret. Its value is never an argument: other users of the machine see arguments. */
export const setSecretCommand: Command = {
  summary: 'Stores a secret, encrypted, for `secret://<name>`. The value is read from standard input or from a file.',
  usage: '<name> [--actor <actor>] [--file <file>]',
  examples: [
    'waybill secret set globex-password < password.txt',
    'waybill secret set globex-password --actor acme --file password.txt',
  ],
  positionals: ['name'],
  options: { ...actorOption, file: { type: 'string' } },
  run: async (invocation) => {
    const id = secretIdOf(invocation);
    const ring = openKeyRingSource(invocation.env, { maxAgeMs: 0 })();
    const value = await readSecretInput(invocation);
    const change = { ring, id, value, by: changedBy(invocation.env) };
    const { isNew } = await withPreparedDatabase(invocation, (db) => setSecret(db, change));
    invocation.out(`${isNew ? '+' : '~'} Secret ${nameOf(id)} (key ${ring.activeId})`);
  },
};

/** Shows what secrets there are, without their values. */
export const listSecretsCommand: Command = {
  summary:
    'Shows the names of all secrets, the keys that encrypt them, and when they were set. Values are never shown.',
  usage: '',
  examples: ['waybill secret list'],
  positionals: [],
  run: async (invocation) => {
    const secrets = await withPreparedDatabase(invocation, (db) => listSecrets(db));
    if (secrets.length === 0) invocation.out('There are no secrets.');
    for (const { keyId, updatedAt, ...id } of secrets) {
      invocation.out([nameOf(id), `key ${keyId}`, `set ${updatedAt.toISOString()}`].join('  '));
    }
  },
};

/** Deletes a secret. */
export const deleteSecretCommand: Command = {
  summary: 'Deletes a secret. Connections that refer to it fail from then on.',
  usage: '<name> [--actor <actor>]',
  examples: ['waybill secret delete globex-password --actor acme'],
  positionals: ['name'],
  options: actorOption,
  run: async (invocation) => {
    const id = secretIdOf(invocation);
    await withPreparedDatabase(invocation, (db) => deleteSecret(db, id, changedBy(invocation.env)));
    invocation.out(`- Secret ${nameOf(id)}`);
  },
};

/** The last step of a rotation of keys. It decrypts: so it needs the database role of the job manager. */
export const reencryptSecretsCommand: Command = {
  summary:
    'Encrypts all secrets with the first key of SECRET_KEYS, and second factors with that of ACCESS_SECRET_KEYS, so that the others can be removed. Needs the environment of a job manager.',
  usage: '',
  examples: ['waybill secret reencrypt'],
  positionals: [],
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
  usage: '',
  examples: ['waybill secret new-key'],
  positionals: [],
  run: ({ out }) => {
    out(newKeyRingEntry());
    return Promise.resolve();
  },
};
