import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { decrypt } from 'openpgp';
import { checkSignatures, foundSignatures, readSigners } from './check-signatures.ts';
import { bytesOf } from './content-stream.ts';
import { type KeyMaterial, unlockKey } from './key-material.ts';
import { openMessage, reasonOf, type StreamedMessage } from './open-message.ts';
import { type Content, pgpSettings, type Transformed } from './pgp-settings.ts';
import { withoutStall } from './without-stall.ts';

/** What a decryption needs. */
export interface DecryptionOrder {
  /** Own keys. */
  readonly keys: readonly KeyMaterial[];
  /** One of these must have signed the content; without any, signatures are not examined. */
  readonly signers: readonly KeyMaterial[];
}

/**
 * Decrypts a message as it is read. **The output is not authenticated until it has ended**: if it fails, what it gave before must be
 * discarded. @throws CodedError `decryption_failed`, `signature_invalid`, `key_unusable`, also from the output
 */
export async function decryptContent(content: Content, order: DecryptionOrder): Promise<Transformed> {
  return await withoutStall(content, (watched) => decryptWatched(watched, order));
}

async function decryptWatched(content: Content, { keys, signers }: DecryptionOrder): Promise<Transformed> {
  const decryptionKeys = await Promise.all(keys.map(unlockKey));
  const accepted = await readSigners(signers);
  const message = await openMessage(content);
  const options = {
    message,
    decryptionKeys,
    verificationKeys: accepted.map(({ key }) => key),
    config: pgpSettings,
    format: 'binary',
  } as const;
  const decrypted = await decrypt(options).catch((error: unknown) => {
    throw decryptionFailed(error, message);
  });
  const signatures = foundSignatures(decrypted.signatures);
  let signer = { signer: '', fingerprint: '', signedAt: '' };
  const output = async function* (): Content {
    try {
      yield* bytesOf(decrypted.data);
    } catch (error) {
      throw decryptionFailed(error, message);
    }
    if (accepted.length > 0) signer = await checkSignatures(signatures, accepted);
  };
  return { output: output(), result: () => Promise.resolve(signer) };
}

function decryptionFailed(error: unknown, message: StreamedMessage): CodedError {
  if (isCodedError(error)) return error;
  const recipients = message.getEncryptionKeyIDs().map((id) => id.toHex().toUpperCase());
  const whom = recipients.length === 0 ? '' : ` (encrypted for the key ${recipients.join(', ')})`;
  return new CodedError('decryption_failed', { detail: `The file cannot be decrypted: ${reasonOf(error)}${whom}` });
}
