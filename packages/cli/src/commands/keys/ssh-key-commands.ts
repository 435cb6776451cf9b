import { secretNameIn } from '@waybill/contracts/configuration/secret-reference';
import type { ConnectionSshKey } from '@waybill/contracts/endpoints/connections/connection-ssh-key-endpoints';
import type { OwnedConnection } from '@waybill/directory/directory';
import { openDirectory } from '@waybill/directory/open-directory';
import { holdSecretOwner } from '@waybill/directory/queries/find-secret-uses';
import { keyFingerprint } from '@waybill/directory/users/public-key-line';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { listSecrets, setSecret } from '@waybill/secrets/manage-secrets';
import type { SecretId } from '@waybill/secrets/sealed-secret';
import { Secret } from '@waybill/service-kit/config/secret';
import { generateSshKey } from '@waybill/ssh-keys/generate-ssh-key';
import { importSshKey } from '@waybill/ssh-keys/import-ssh-key';
import type { SshKeyPair } from '@waybill/ssh-keys/openssh-format';
import { changedBy } from '../../changed-by.ts';
import type { Command, Invocation } from '../../command.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { asksPlatform, orInDatabase } from '../../platform/asks-platform.ts';
import { givenTexts } from '../../platform/option-values.ts';
import { readSecretInput } from './read-secret-input.ts';
import {
  commentOf,
  generateSshKeyRemotelyCommand,
  importSshKeyRemotelyCommand,
  kindOf,
  listSshKeysRemotelyCommand,
  passphraseOf,
  passphraseVariable,
  printKeys,
  printStored,
} from './remote-ssh-key-commands.ts';
import { secretIdOf } from './secret-identity.ts';

/** Generates a key with which the platform logs in at a partner, in a database or on a platform. */
export const generateSshKeyCommand: Command = {
  ...generateSshKeyRemotelyCommand,
  options: orInDatabase(generateSshKeyRemotelyCommand.options),
  run: async (invocation) => {
    if (await asksPlatform(invocation)) return await generateSshKeyRemotelyCommand.run(invocation);
    const kind = kindOf(invocation);
    const comment = commentOf(invocation);
    await store(invocation, () => generateSshKey(kind, comment));
  },
};

/** Imports a key, without its passphrase, in a database or on a platform. */
export const importSshKeyCommand: Command = {
  ...importSshKeyRemotelyCommand,
  options: orInDatabase(importSshKeyRemotelyCommand.options),
  run: async (invocation) => {
    if (await asksPlatform(invocation)) return await importSshKeyRemotelyCommand.run(invocation);
    const comment = commentOf(invocation);
    const text = (await readSecretInput(invocation)).reveal();
    const unlocking = { passphrase: passphraseOf(invocation), variable: passphraseVariable };
    await store(invocation, () => importSshKey(text, { ...unlocking, comment }));
  },
};

/** Shows the keys of a database or a platform; the private ones cannot be read by an operator. */
export const listSshKeysCommand: Command = {
  ...listSshKeysRemotelyCommand,
  options: orInDatabase(listSshKeysRemotelyCommand.options),
  run: async (invocation) => {
    if (await asksPlatform(invocation)) return await listSshKeysRemotelyCommand.run(invocation);
    const { actor } = givenTexts(invocation.values, ['actor']);
    const wanted = { ...(actor !== undefined && { owners: [actor] }), withPublicKey: true };
    const { secrets, connections } = await withPreparedDatabase(invocation, async (db) => ({
      secrets: await listSecrets(db, wanted),
      connections: await openDirectory({ db }).listClientConnections(),
    }));
    const keys = secrets.map(({ publicKey = '', updatedAt, ...secret }) => ({
      ...shownKeyOf(secret, secret.keyId, publicKey),
      updatedAt: updatedAt.toISOString(),
      usedBy: usesOf(secret, connections),
    }));
    printKeys(invocation, keys);
  },
};

function usesOf(id: SecretId, connections: readonly OwnedConnection[]): ConnectionSshKey['usedBy'] {
  return connections.flatMap(({ owner, connection }) => {
    if (connection.type !== 'sftp' || connection.privateKey === undefined || owner !== id.owner) return [];
    if (secretNameIn(connection.privateKey) !== id.name) return [];
    return [{ connection: connection.name, keyExpires: connection.keyExpires ?? null }];
  });
}

async function store(invocation: Invocation, make: () => SshKeyPair | Promise<SshKeyPair>): Promise<void> {
  const { env } = invocation;
  const id = secretIdOf(invocation);
  const ring = openKeyRingSource(env, { maxAgeMs: 0 })();
  const { privateKey, publicKey } = await make();
  const change = { ring, id, value: new Secret(privateKey), publicKey, by: changedBy(env) };
  const { isNew } = await withPreparedDatabase(invocation, (db) =>
    setSecret(db, { ...change, holdOwner: holdSecretOwner }),
  );
  printStored(invocation, isNew, shownKeyOf(id, ring.activeId, publicKey));
}

function shownKeyOf({ owner, name }: SecretId, keyId: string, publicKey: string) {
  const [, base64 = ''] = publicKey.split(' ');
  const fingerprint = keyFingerprint(Buffer.from(base64, 'base64'));
  return { name, actor: owner === '' ? null : owner, publicKey, fingerprint, keyId };
}
