import { CodedError } from '@waybill/contracts/errors/coded-error';
import { decryptKey, type Key, type PrivateKey, readPrivateKey } from 'openpgp';
import { z } from 'zod';
import { fingerprintOf, readPublicKey } from './pgp-key.ts';
import { pgpSettings } from './pgp-settings.ts';

/** A key of the configuration, with what its secrets hold. */
export const keyMaterialSchema = z.object({
  name: z.string(),
  publicKey: z.string(),
  privateKey: z.string().optional(),
  passphrase: z.string().optional(),
});

/** A key of the configuration, with what its secrets hold. */
export type KeyMaterial = z.infer<typeof keyMaterialSchema>;

/**
 * The private key, unlocked. It must be the one of the public key that the configuration shows.
 * @throws CodedError `key_unusable`, without any of its bytes
 */
export async function unlockKey({ name, publicKey, privateKey, passphrase }: KeyMaterial): Promise<PrivateKey> {
  if (privateKey === undefined) unusable(name, 'has no private key');
  const shown = await readPublicKey(publicKey, name);
  const locked = await readPrivateKey({ armoredKey: privateKey, config: pgpSettings }).catch(() =>
    unusable(name, 'cannot be used: its secret is not a private key with ASCII armor'),
  );
  if (fingerprintOf(locked) !== fingerprintOf(shown)) unusable(name, 'cannot be used: its secret is another key');
  if (locked.isDecrypted()) return locked;
  if (passphrase === undefined) unusable(name, 'cannot be used: its private key needs a passphrase');
  return await decryptKey({ privateKey: locked, passphrase, config: pgpSettings }).catch(() =>
    unusable(name, 'cannot be used: the passphrase of its private key is wrong'),
  );
}

/** A public key that files can be encrypted for now. @throws CodedError `key_unusable` if it has expired, was revoked or has no such part */
export async function encryptionKeyOf({ name, publicKey }: KeyMaterial): Promise<Key> {
  const key = await readPublicKey(publicKey, name);
  await key.getEncryptionKey().catch((error: unknown) => unusable(name, `cannot encrypt: ${reasonOf(error)}`));
  return key;
}

/** A private key that can sign now. @throws CodedError `key_unusable` if it has expired, was revoked or has no such part */
export async function signingKeyOf(material: KeyMaterial): Promise<PrivateKey> {
  const key = await unlockKey(material);
  // The public key may be newer than the secret: its expiry counts.
  const shown = await readPublicKey(material.publicKey, material.name);
  await shown.getSigningKey().catch((error: unknown) => unusable(material.name, `cannot sign: ${reasonOf(error)}`));
  return key;
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^Could not find valid \w+ key packet in key \w+: /u, '');
}

function unusable(name: string, reason: string): never {
  throw new CodedError('key_unusable', { detail: `The PGP key ${name} ${reason}` });
}
