import { CodedError } from '@waybill/contracts/errors/coded-error';
import { findKeyUses } from '@waybill/directory/queries/find-key-uses';
import { holdSecretOwner } from '@waybill/directory/queries/find-secret-uses';
import { keyFingerprint } from '@waybill/directory/users/public-key-line';
import type { Database } from '@waybill/postgres/database';
import type { KeyRingSource } from '@waybill/secrets/key-ring-source';
import {
  findSecret,
  type ListedSecret,
  listSecrets,
  secretUnknown,
  setSecret,
  versionOfSecret,
} from '@waybill/secrets/manage-secrets';
import { Secret } from '@waybill/service-kit/config/secret';
import { generateSshKey } from '@waybill/ssh-keys/generate-ssh-key';
import { importInThread } from '@waybill/ssh-keys/import-in-thread';
import { KeyRefusal } from '@waybill/ssh-keys/key-refusal';
import type { SshKeyPair } from '@waybill/ssh-keys/openssh-format';
import type { Administrator } from '../../domain/administration/administration.ts';
import type {
  ConnectionSshKeyFacts,
  ConnectionSshKeys,
  KeyAt,
  StoredKey,
} from '../../domain/administration/connection-ssh-keys.ts';
import { createKeyTurns } from './key-turns.ts';
import { assertReached, idOf, isReached, wantedBy } from './open-stored-secrets.ts';
import type { WrittenAt } from './written-files.ts';

/** More would take minutes. */
const waitingAtMost = 8;

/** Makes and stores keys with the rights of the operator, which do not include to read a private one. */
export function createConnectionSshKeys(db: Database, at: WrittenAt, ringSource: KeyRingSource): ConnectionSshKeys {
  const turns = createKeyTurns(waitingAtMost);
  const store = async (key: KeyAt, by: Administrator, make: () => Promise<SshKeyPair>): Promise<StoredKey> => {
    const id = idOf(key);
    assertReached(id, by);
    const ring = ringSource();
    await holdSecretOwner(db, id.owner);
    const { privateKey, publicKey } = await turns(make);
    const change = {
      id,
      publicKey,
      conditions: key.conditions,
      by: { user: by.userName, ...at },
      holdOwner: holdSecretOwner,
    };
    const { isNew, secret } = await setSecret(db, { ring, value: new Secret(privateKey), ...change });
    return { isNew, key: await factsOfOne(db, secret) };
  };
  return {
    list: async (query, by) =>
      await factsOf(db, await listSecrets(db, { ...wantedBy(query, by), withPublicKey: true })),
    find: async (address, by) => {
      const id = idOf(address);
      const secret = isReached(id, by) ? await findSecret(db, id) : undefined;
      if (!secret) throw secretUnknown(id);
      return await factsOfOne(db, secret);
    },
    generate: async ({ kind, ...key }, by) => await store(key, by, () => generateSshKey(kind, key.comment)),
    importKey: async ({ privateKey, passphrase, ...key }, by) =>
      await store(key, by, async () => {
        const options = { passphrase, variable: '`passphrase`', comment: key.comment };
        return await importInThread(privateKey, options).catch(refuseKey);
      }),
  };
}

async function factsOf(db: Database, secrets: readonly ListedSecret[]): Promise<ConnectionSshKeyFacts[]> {
  const uses = secrets.length === 0 ? [] : await findKeyUses(db, secrets);
  return secrets.flatMap(({ publicKey, ...secret }) => {
    if (publicKey === undefined) return [];
    const { owner, ...facts } = secret;
    const [, base64 = ''] = publicKey.split(' ');
    return [
      {
        ...facts,
        actor: owner === '' ? undefined : owner,
        version: versionOfSecret({ ...secret, publicKey }),
        publicKey,
        fingerprint: keyFingerprint(Buffer.from(base64, 'base64')),
        uses: uses.filter((use) => use.owner === owner && use.name === secret.name),
      },
    ];
  });
}

async function factsOfOne(db: Database, secret: ListedSecret): Promise<ConnectionSshKeyFacts> {
  const [key] = await factsOf(db, [secret]);
  if (key) return key;
  const detail = `The secret ${secret.name} is not an SSH key that was generated or imported`;
  throw new CodedError('secret_unknown', { detail });
}

function refuseKey(error: unknown): never {
  if (!(error instanceof KeyRefusal)) throw error;
  const fields = [{ field: error.about, message: error.reason }];
  throw new CodedError('validation_failed', { detail: error.message, fields });
}
