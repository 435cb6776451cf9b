import { createMessage, encrypt, enums, sign } from 'openpgp';
import { bytesOf, streamOf } from './content-stream.ts';
import { encryptionKeyOf, signingKeyOf, type KeyMaterial } from './key-material.ts';
import { fingerprintOf } from './pgp-key.ts';
import { type Content, pgpSettings, type Transformed } from './pgp-settings.ts';

/** What an encryption needs. */
export interface EncryptionOrder {
  readonly recipients: readonly KeyMaterial[];
  /** The own key that signs the content inside of the encryption. */
  readonly signer?: KeyMaterial | undefined;
  readonly armor: boolean;
  readonly compress: boolean;
}

/** Encrypts content for all recipients, as it is read. @throws CodedError `key_unusable` before it reads anything */
export async function encryptContent(content: Content, order: EncryptionOrder): Promise<Transformed> {
  const encryptionKeys = await Promise.all(order.recipients.map(encryptionKeyOf));
  const signingKeys = order.signer ? [await signingKeyOf(order.signer)] : [];
  const message = await createMessage({ binary: streamOf(content) });
  const preferredCompressionAlgorithm = order.compress ? enums.compression.zlib : enums.compression.uncompressed;
  const config = { ...pgpSettings, preferredCompressionAlgorithm };
  const options = { message, encryptionKeys, signingKeys, config };
  const made: unknown = order.armor
    ? await encrypt({ ...options, format: 'armored' })
    : await encrypt({ ...options, format: 'binary' });
  const fingerprints = encryptionKeys.map(fingerprintOf).join(',');
  return { output: bytesOf(made), result: () => Promise.resolve({ fingerprints }) };
}

/** What a signature needs. */
export interface SignatureOrder {
  readonly signer: KeyMaterial;
  readonly armor: boolean;
  /** The output is the signature alone, without the content. */
  readonly detached: boolean;
}

/** Signs content as it is read. @throws CodedError `key_unusable` before it reads anything */
export async function signContent(content: Content, { signer, armor, detached }: SignatureOrder): Promise<Transformed> {
  const key = await signingKeyOf(signer);
  const message = await createMessage({ binary: streamOf(content) });
  const options = { message, signingKeys: [key], detached, config: pgpSettings };
  const made: unknown = armor
    ? await sign({ ...options, format: 'armored' })
    : await sign({ ...options, format: 'binary' });
  return { output: bytesOf(made), result: () => Promise.resolve({ fingerprint: fingerprintOf(key) }) };
}
