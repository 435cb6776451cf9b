import type { ConnectionOf } from '@waybill/contracts/configuration/connections/client-connection';
import { lastDayOf } from '@waybill/contracts/configuration/expiry';
import { secretNameIn } from '@waybill/contracts/configuration/secret-reference';
import type { OwnedConnection } from '@waybill/directory/directory';
import { openDirectory } from '@waybill/directory/open-directory';
import { keyFingerprint } from '@waybill/directory/users/public-key-line';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { listSecrets, setSecret } from '@waybill/secrets/manage-secrets';
import type { SecretId } from '@waybill/secrets/sealed-secret';
import { Secret } from '@waybill/service-kit/config/secret';
import { readSecretVariable } from '@waybill/service-kit/config/secret-source';
import { generateSshKey, type SshKeyKind, sshKeyKinds } from '@waybill/ssh-keys/generate-ssh-key';
import { importSshKey } from '@waybill/ssh-keys/import-ssh-key';
import type { SshKeyPair } from '@waybill/ssh-keys/openssh-format';
import { changedBy } from '../../changed-by.ts';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { readSecretInput } from './read-secret-input.ts';
import { nameOf, secretIdOf } from './secret-identity.ts';

const passphraseVariable = 'SSH_KEY_PASSPHRASE';
const options = { comment: { type: 'string' }, actor: { type: 'string' } } as const;

/** Generates a key with which the platform logs in at a partner. The private key is stored as a secret, and never shown. */
export const generateSshKeyCommand: Command = {
  summary:
    'Generates an SSH key for client connections, stores the private key as the secret <name>, and prints the public key for the partner.',
  usage: '<name> [--kind ed25519|ecdsa|rsa] [--comment <text>] [--actor <actor>]',
  examples: [`waybill ssh-key generate globex-key --kind ed25519 --comment 'to globex'`],
  positionals: ['name'],
  options: { ...options, kind: { type: 'string' } },
  run: async (invocation) => {
    const kind = kindOf(invocation.values['kind'] ?? 'ed25519');
    const comment = commentOf(invocation);
    await store(invocation, () => generateSshKey(kind, comment));
  },
};

/** Imports a key, without its passphrase: as a secret it is encrypted anyway. */
export const importSshKeyCommand: Command = {
  summary:
    'Stores a private SSH key, read from standard input or a file, as the secret <name>, and prints its public key. The variable SSH_KEY_PASSPHRASE unlocks it.',
  usage: '<name> [--file <file>] [--comment <text>] [--actor <actor>]',
  examples: ['waybill ssh-key import globex-key --file id_ed25519'],
  positionals: ['name'],
  options: { ...options, file: { type: 'string' } },
  run: async (invocation) => {
    const comment = commentOf(invocation);
    const text = (await readSecretInput(invocation)).reveal();
    const given = readSecretVariable(invocation.env, passphraseVariable);
    if (given && 'fault' in given) throw new UsageError(`${given.variable} ${given.fault}`);
    const unlocking = { passphrase: given?.value, variable: passphraseVariable };
    await store(invocation, () => importSshKey(text, { ...unlocking, comment }));
  },
};

/** Shows the keys that were generated or imported; the private ones cannot be read by an operator. */
export const listSshKeysCommand: Command = {
  summary:
    'Shows the public keys of the stored SSH keys, with their fingerprints, the connections that use them, and when they expire.',
  usage: '',
  examples: ['waybill ssh-key list'],
  positionals: [],
  run: async (invocation) => {
    const { secrets, connections } = await withPreparedDatabase(invocation, async (db) => ({
      secrets: await listSecrets(db),
      connections: await openDirectory({ db }).listClientConnections(),
    }));
    const keys = secrets.flatMap(({ publicKey, ...id }) => (publicKey === undefined ? [] : [{ publicKey, id }]));
    if (keys.length === 0) invocation.out('There are no SSH keys.');
    for (const { publicKey, id } of keys) {
      const uses = usesOf(id, connections);
      const used = uses.length === 0 ? 'not used' : `used by ${uses.map(describeUse).join(', ')}`;
      invocation.out([nameOf(id), fingerprintOf(publicKey), used].join('  '));
      invocation.out(`  ${publicKey}`);
    }
  },
};

function usesOf(id: SecretId, connections: readonly OwnedConnection[]): ConnectionOf<'sftp'>[] {
  return connections.flatMap(({ owner, connection }) => {
    if (connection.type !== 'sftp' || connection.privateKey === undefined || owner !== id.owner) return [];
    return secretNameIn(connection.privateKey) === id.name ? [connection] : [];
  });
}

function describeUse({ name, keyExpires }: ConnectionOf<'sftp'>): string {
  return keyExpires === undefined ? name : `${name} (until ${lastDayOf(keyExpires) ?? keyExpires})`;
}

function kindOf(text: string | boolean): SshKeyKind {
  const kind = sshKeyKinds.find((known) => known === text);
  if (kind === undefined)
    throw new UsageError(`--kind is ${sshKeyKinds.slice(0, -1).join(', ')} or ${sshKeyKinds.at(-1)}`);
  return kind;
}

/** One line: it is a part of the line of the public key. */
function commentOf({ values: { comment } }: Invocation): string {
  if (comment === undefined) return 'waybill';
  if (typeof comment === 'string' && /^[\x20-\x7e]{0,200}$/u.test(comment)) return comment.trim();
  throw new UsageError('--comment is a line of at most 200 ASCII characters');
}

async function store(invocation: Invocation, make: () => SshKeyPair | Promise<SshKeyPair>): Promise<void> {
  const { out, env } = invocation;
  const id = secretIdOf(invocation);
  const ring = openKeyRingSource(env, { maxAgeMs: 0 })();
  const { privateKey, publicKey } = await make();
  const change = { ring, id, value: new Secret(privateKey), publicKey, by: changedBy(env) };
  const { isNew } = await withPreparedDatabase(invocation, (db) => setSecret(db, change));
  out(`# ${isNew ? '+' : '~'} Secret ${nameOf(id)} (key ${ring.activeId}); fingerprint ${fingerprintOf(publicKey)}`);
  out(publicKey);
}

function fingerprintOf(publicKey: string): string {
  const [, base64 = ''] = publicKey.split(' ');
  return keyFingerprint(Buffer.from(base64, 'base64'));
}
