import {
  type SshKeyKind,
  sshKeyCommentSchema,
  sshKeyKinds,
  usualSshKeyComment,
} from '@waybill/contracts/configuration/connections/ssh-key-kind';
import { lastDayOf } from '@waybill/contracts/configuration/expiry';
import {
  type ConnectionSshKey,
  generateConnectionSshKeyEndpoint,
  importConnectionSshKeyEndpoint,
  listConnectionSshKeysEndpoint,
} from '@waybill/contracts/endpoints/connections/connection-ssh-key-endpoints';
import { PlatformError } from '@waybill/platform-client/platform-error';
import { readSecretVariable } from '@waybill/service-kit/config/secret-source';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { choiceOf, choiceOption, givenTexts, jsonOption, textOption } from '../../platform/option-values.ts';
import { printRows } from '../../platform/print-rows.ts';
import { readItems } from '../../platform/read-pages.ts';
import { requestPlatform } from '../../platform/request-platform.ts';
import { readSecretInput } from './read-secret-input.ts';
import { ownerOf } from './remote-secret-commands.ts';
import { nameOf, secretIdOf } from './secret-identity.ts';

/** The variable that unlocks an imported key. */
export const passphraseVariable = 'SSH_KEY_PASSPHRASE';

const usualKind = 'ed25519';

/** Other keys may be made before it. */
const timeoutMs = 600_000;

const options = {
  ...platformOptions,
  comment: { ...textOption('text', 'The comment of the public key.'), usual: usualSshKeyComment },
  actor: textOption('name', 'The actor that it belongs to.'),
} as const;

/** Has a platform generate a key with which it logs in at a partner. The private key is stored as a secret, and never shown. */
export const generateSshKeyRemotelyCommand: Command = {
  summary:
    'Generates an SSH key for client connections, stores the private key as the secret <name>, and prints the public key for the partner.',
  examples: [`waybill ssh-key generate globex-key --kind ed25519 --comment 'to globex'`],
  arguments: { name: 'The name of the secret.' },
  options: { ...options, kind: { ...choiceOption('kind', sshKeyKinds, 'The kind of key.'), usual: usualKind } },
  run: async (invocation) => {
    const body = { kind: kindOf(invocation), comment: commentOf(invocation) };
    const id = secretIdOf(invocation);
    await using client = await openPlatform(invocation, { side: 'manager', timeoutMs });
    const request = { params: { name: id.name }, query: ownerOf(id), body };
    const { status, body: key } = await client.call(generateConnectionSshKeyEndpoint, request);
    printStored(invocation, status === 201, key);
  },
};

/** Has a platform import a key, without its passphrase: as a secret it is encrypted anyway. */
export const importSshKeyRemotelyCommand: Command = {
  summary:
    'Stores a private SSH key, read from standard input or a file, as the secret <name>, and prints its public key. The variable SSH_KEY_PASSPHRASE unlocks it.',
  examples: ['waybill ssh-key import globex-key --file id_ed25519'],
  arguments: { name: 'The name of the secret.' },
  options: { ...options, file: textOption('file', 'The file with the private key; standard input if it is left out.') },
  run: async (invocation) => {
    const comment = commentOf(invocation);
    const id = secretIdOf(invocation);
    const privateKey = (await readSecretInput(invocation)).reveal();
    const passphrase = passphraseOf(invocation);
    const body = { privateKey, comment, ...(passphrase !== undefined && { passphrase }) };
    await using client = await openPlatform(invocation, { side: 'manager', timeoutMs });
    const request = { params: { name: id.name }, query: ownerOf(id), body };
    const { status, body: key } = await client.call(importConnectionSshKeyEndpoint, request).catch(nameVariable);
    printStored(invocation, status === 201, key);
  },
};

/** Shows the keys of a platform that were generated or imported; no request shows a private one. */
export const listSshKeysRemotelyCommand: Command = {
  summary:
    'Shows the public keys of the stored SSH keys, with their fingerprints, the connections that use them, and when they expire.',
  examples: ['waybill ssh-key list', 'waybill ssh-key list --actor acme --json'],
  options: { ...platformOptions, actor: textOption('name', 'The actor that it belongs to.'), json: jsonOption },
  run: async (invocation) => {
    const query = givenTexts(invocation.values, ['actor']);
    const keys = await readItems((page) =>
      requestPlatform(invocation, listConnectionSshKeysEndpoint, { query: { ...query, ...page } }),
    );
    printKeys(invocation, keys);
  },
};

/** The kind of key that a command wants. */
export function kindOf({ values }: Invocation): SshKeyKind {
  return choiceOf(values, 'kind', sshKeyKinds) ?? usualKind;
}

/** The comment that a command gives to a public key. @throws UsageError */
export function commentOf({ values: { comment } }: Invocation): string {
  const parsed = sshKeyCommentSchema.safeParse(comment);
  if (parsed.success) return parsed.data;
  throw new UsageError('--comment is a line of at most 200 ASCII characters');
}

/** What unlocks an imported key. @throws UsageError */
export function passphraseOf({ env }: Pick<Invocation, 'env'>): string | undefined {
  const given = readSecretVariable(env, passphraseVariable);
  if (given && 'fault' in given) throw new UsageError(`${given.variable} ${given.fault}`);
  return given?.value;
}

/** Prints a key that was stored: the line of the public key is the last. */
export function printStored(
  { out }: Pick<Invocation, 'out'>,
  isNew: boolean,
  { name, actor, keyId, fingerprint, publicKey }: Omit<ConnectionSshKey, 'updatedAt' | 'usedBy'>,
): void {
  const named = nameOf({ owner: actor ?? '', name });
  out(`# ${isNew ? '+' : '~'} Secret ${named} (key ${keyId}); fingerprint ${fingerprint}`);
  out(publicKey);
}

/** Prints keys, without their private parts. The line for the partner is the last column: it can be copied whole. */
export function printKeys(invocation: Invocation, keys: readonly ConnectionSshKey[]): void {
  printRows(invocation, keys, [
    ['NAME', ({ name }) => name],
    ['ACTOR', ({ actor }) => actor ?? ''],
    ['FINGERPRINT', ({ fingerprint }) => fingerprint],
    ['USED BY', ({ usedBy }) => (usedBy.length === 0 ? 'not used' : usedBy.map(describeUse).join(', '))],
    ['PUBLIC KEY', ({ publicKey }) => publicKey],
  ]);
}

function describeUse({ connection, keyExpires }: ConnectionSshKey['usedBy'][number]): string {
  return keyExpires === null ? connection : `${connection} (until ${lastDayOf(keyExpires) ?? keyExpires})`;
}

/** The platform names the field of the request. */
function nameVariable(error: unknown): never {
  const isAboutPassphrase = error instanceof PlatformError && error.fields.some(({ field }) => field === 'passphrase');
  if (!isAboutPassphrase) throw error;
  throw new PlatformError(error.message.replaceAll('`passphrase`', passphraseVariable), {
    code: error.code,
    status: error.status,
    requestId: error.requestId,
    cause: error,
  });
}
