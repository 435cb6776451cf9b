import { openDirectory } from '@waybill/directory/open-directory';
import { holdSecretOwner } from '@waybill/directory/queries/find-secret-uses';
import { generatePgpKey, pgpKeyKinds } from '@waybill/pgp/generate-pgp-key';
import { publicPartOf, withoutPassphrase } from '@waybill/pgp/import-pgp-key';
import { describePublicKey } from '@waybill/pgp/pgp-key';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { setSecret } from '@waybill/secrets/manage-secrets';
import { Secret } from '@waybill/service-kit/config/secret';
import { readSecretVariable } from '@waybill/service-kit/config/secret-source';
import { z } from 'zod';
import { changedBy } from '../../changed-by.ts';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { asksPlatform, orInDatabase } from '../../platform/asks-platform.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { choiceOf, choiceOption, neededOption, textOption } from '../../platform/option-values.ts';
import { readItems } from '../../platform/read-pages.ts';
import { collectionOf } from '../platform/object-collections.ts';
import { readSecretInput } from './read-secret-input.ts';
import { storeSecretRemotely } from './remote-secret-commands.ts';
import { nameOf, type SecretId, secretIdOf } from './secret-identity.ts';

const daysAtMost = 3_650;
const usualKind = 'ecc';

/** Generates an own key. The private part is stored as a secret, and never shown. */
export const generatePgpKeyCommand: Command = {
  summary:
    'Generates a PGP key, stores its private part as the secret <name>, and prints the entry for `pgpKeys` with the public part.',
  examples: [`waybill pgp-key generate acme-2026 --user 'Acme files' --email files@acme.example --days 730`],
  arguments: { name: 'The name of the secret and the key.' },
  options: {
    user: neededOption('name', 'Whose key it is, as the key names it.'),
    email: textOption('address', 'The e-mail address of that user.'),
    kind: { ...choiceOption('kind', pgpKeyKinds, 'The kind of key.'), usual: usualKind },
    days: { ...textOption('number', 'How many days the key is valid, up to 3650.'), usual: '730' },
    actor: textOption('name', 'The actor that it belongs to.'),
    ...orInDatabase(platformOptions),
  },
  run: async (invocation) => {
    const { user, email, days: text } = invocation.values;
    if (typeof user !== 'string' || user.trim() === '') throw new UsageError('--user is empty: whose key it is');
    const days = Number(text);
    if (!Number.isInteger(days) || days < 1 || days > daysAtMost) {
      throw new UsageError(`--days is a number from 1 to ${daysAtMost}`);
    }
    const address = typeof email === 'string' ? { email } : {};
    const pair = await generatePgpKey({
      kind: choiceOf(invocation.values, 'kind', pgpKeyKinds) ?? usualKind,
      user: { name: user, ...address },
      days,
    });
    await store(invocation, pair);
  },
};

/** Imports an own key, without its passphrase: as a secret it is encrypted anyway. */
export const importPgpKeyCommand: Command = {
  summary:
    'Stores a private PGP key, read from standard input or a file, as the secret <name>, and prints the entry for `pgpKeys`. The variable PGP_PASSPHRASE unlocks it.',
  examples: ['waybill pgp-key import acme-2026 --file private.asc'],
  arguments: { name: 'The name of the secret and the key.' },
  options: {
    ...orInDatabase(platformOptions),
    file: textOption('file', 'The file with the private key; standard input if it is left out.'),
    actor: textOption('name', 'The actor that it belongs to.'),
  },
  run: async (invocation) => {
    const armored = (await readSecretInput(invocation)).reveal();
    const passphrase = readSecretVariable(invocation.env, 'PGP_PASSPHRASE');
    if (passphrase && 'fault' in passphrase) throw new UsageError(`${passphrase.variable} ${passphrase.fault}`);
    const privateKey = await withoutPassphrase(armored, passphrase?.value);
    await store(invocation, { privateKey, publicKey: await publicPartOf(privateKey) });
  },
};

/** Shows the keys of the applied configuration. */
export const listPgpKeysCommand: Command = {
  summary: 'Shows the PGP keys of the applied configuration, with their fingerprints, and when they expire.',
  examples: ['waybill pgp-key list'],
  options: orInDatabase(platformOptions),
  run: async (invocation) => {
    const keys = await readKeys(invocation);
    if (keys.length === 0) invocation.out('There are no PGP keys.');
    for (const { owner, key } of keys) {
      const { fingerprint, users, algorithm, expiresAt } = await describePublicKey(key.publicKey, key.name);
      const end = expiresAt === undefined ? 'never expires' : `expires ${expiresAt.toISOString()}`;
      const part = key.privateKey === undefined ? 'public' : 'private';
      const name = nameOf({ owner, name: key.name });
      invocation.out([name, part, algorithm, fingerprint, end, users.join(', ')].join('  '));
    }
  },
};

async function store(invocation: Invocation, pair: { privateKey: string; publicKey: string }): Promise<void> {
  const { out } = invocation;
  const id = secretIdOf(invocation);
  const { isNew, key = '' } = await storePrivate(invocation, id, new Secret(pair.privateKey));
  const { fingerprint } = await describePublicKey(pair.publicKey, id.name);
  out(`# ${isNew ? '+' : '~'} Secret ${nameOf(id)}${key}; fingerprint ${fingerprint}`);
  out('pgpKeys:');
  out(`  - name: ${id.name}`);
  out(`    privateKey: secret://${id.name}`);
  out('    publicKey: |');
  for (const line of pair.publicKey.trim().split(/\r?\n/u)) out(`      ${line}`.trimEnd());
}

/** Only the secret leaves this machine, over TLS. */
async function storePrivate(
  invocation: Invocation,
  id: SecretId,
  value: Secret,
): Promise<{ readonly isNew: boolean; readonly key?: string }> {
  if (await asksPlatform(invocation)) return await storeSecretRemotely(invocation, id, value);
  const { env } = invocation;
  const ring = openKeyRingSource(env, { maxAgeMs: 0 })();
  const change = { ring, id, value, by: changedBy(env) };
  const { isNew } = await withPreparedDatabase(invocation, (db) =>
    setSecret(db, { ...change, holdOwner: holdSecretOwner }),
  );
  return { isNew, key: ` (key ${ring.activeId})` };
}

/** The keys of a platform or a database, by owner and name. */
async function readKeys(invocation: Invocation): Promise<readonly ListedKey[]> {
  if (!(await asksPlatform(invocation))) {
    return await withPreparedDatabase(invocation, (db) => openDirectory({ db }).listPgpKeys());
  }
  await using client = await openPlatform(invocation, { side: 'manager' });
  const keys = collectionOf({ positionals: ['pgp-keys'], values: {} });
  const items = await readItems((page) => keys.list(client, page, undefined));
  return z
    .array(keySchema)
    .parse(items)
    .map(({ actor = '', ...key }) => ({ owner: actor, key }));
}

const keySchema = z.object({
  name: z.string(),
  actor: z.string().optional(),
  publicKey: z.string(),
  privateKey: z.string().optional(),
});

interface ListedKey {
  readonly owner: string;
  readonly key: { readonly name: string; readonly publicKey: string; readonly privateKey?: string | undefined };
}
