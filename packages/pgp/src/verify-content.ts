import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { createMessage, readSignature, type Signature, verify } from 'openpgp';
import { checkSignatures, foundSignatures, readSigners } from './check-signatures.ts';
import { bytesOf, streamOf } from './content-stream.ts';
import type { KeyMaterial } from './key-material.ts';
import { openMessage, reasonOf } from './open-message.ts';
import { type Content, pgpSettings, type Transformed } from './pgp-settings.ts';
import { withoutStall } from './without-stall.ts';

/** What a verification needs. */
export interface VerificationOrder {
  /** One of these must have signed. */
  readonly signers: readonly KeyMaterial[];
  /** A detached signature, Base64; without one, the content is a signed message. */
  readonly signature?: string | undefined;
}

/** The largest detached signature: far more than a hundred signatures need. */
export const signatureBytesAtMost = 64 * 1024;

/**
 * Verifies content as it is read, and gives what was signed. **The output is not verified until it has ended**: if it fails, what it
 * gave before must be discarded. @throws CodedError `signature_invalid`, `decryption_failed` (not a message), `key_unusable`
 */
export async function verifyContent(content: Content, order: VerificationOrder): Promise<Transformed> {
  return await withoutStall(content, (watched) => verifyWatched(watched, order));
}

async function verifyWatched(content: Content, order: VerificationOrder): Promise<Transformed> {
  const accepted = await readSigners(order.signers);
  const signature = order.signature === undefined ? undefined : await readDetached(order.signature);
  const message = signature ? await createMessage({ binary: streamOf(content) }) : await openMessage(content);
  const options = {
    message,
    verificationKeys: accepted.map(({ key }) => key),
    config: pgpSettings,
    format: 'binary',
    ...(signature && { signature }),
  } as const;
  const verified = await verify(options).catch((error: unknown) => {
    throw notVerified(error);
  });
  const signatures = foundSignatures(verified.signatures);
  let signer = { signer: '', fingerprint: '', signedAt: '' };
  const output = async function* (): Content {
    try {
      yield* bytesOf(verified.data);
    } catch (error) {
      throw notVerified(error);
    }
    signer = await checkSignatures(signatures, accepted);
  };
  return { output: output(), result: () => Promise.resolve(signer) };
}

async function readDetached(base64: string): Promise<Signature> {
  const bytes = Buffer.from(base64, 'base64');
  const isBinary = ((bytes[0] ?? 0) & 0x80) !== 0;
  try {
    return isBinary
      ? await readSignature({ binarySignature: new Uint8Array(bytes), config: pgpSettings })
      : await readSignature({ armoredSignature: bytes.toString('latin1'), config: pgpSettings });
  } catch (error) {
    throw new CodedError('signature_invalid', { detail: `The signature cannot be read: ${reasonOf(error)}` });
  }
}

function notVerified(error: unknown): CodedError {
  if (isCodedError(error)) return error;
  return new CodedError('signature_invalid', { detail: `The file cannot be verified: ${reasonOf(error)}` });
}
