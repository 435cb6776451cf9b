import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Key, KeyID, Signature } from 'openpgp';
import type { KeyMaterial } from './key-material.ts';
import { fingerprintOf, readPublicKey } from './pgp-key.ts';

/** A key whose signatures are accepted. */
export interface Signer {
  readonly name: string;
  readonly key: Key;
}

/** What the library knows of one signature of a message. */
export interface FoundSignature {
  readonly keyID: KeyID;
  /** Rejects for a signature that is not valid. */
  readonly verified: Promise<unknown>;
  readonly signature: Promise<Signature>;
}

/** Reads the keys whose signatures are accepted. @throws CodedError `key_unusable` */
export async function readSigners(accepted: readonly KeyMaterial[]): Promise<Signer[]> {
  return await Promise.all(
    accepted.map(async ({ name, publicKey }) => ({ name, key: await readPublicKey(publicKey, name) })),
  );
}

/** The signatures of a message. Nothing listens to them until all content was read: until then, a wrong one is no unhandled rejection. */
export function foundSignatures(signatures: readonly FoundSignature[]): readonly FoundSignature[] {
  for (const { verified, signature } of signatures) {
    for (const each of [verified, signature]) each.catch(() => {});
  }
  return signatures;
}

/**
 * Who signed. At least one accepted signer must have signed, and no signature of an accepted signer may be wrong. Call it when all
 * content was read. @throws CodedError `signature_invalid`
 */
export async function checkSignatures(
  found: readonly FoundSignature[],
  signers: readonly Signer[],
): Promise<{ signer: string; fingerprint: string; signedAt: string }> {
  // All are settled, so that none rejects later when nothing listens any more.
  const verdicts = await Promise.allSettled(found.map(({ verified }) => verified));
  const others: string[] = [];
  const valid: { signer: Signer; found: FoundSignature }[] = [];
  for (const [index, signature] of found.entries()) {
    const id = signature.keyID.toHex().toUpperCase();
    const signer = signers.find(({ key }) => key.getKeyIDs().some((keyID) => keyID.equals(signature.keyID)));
    const verdict = verdicts[index];
    if (!signer) others.push(id);
    else if (verdict?.status === 'fulfilled') valid.push({ signer, found: signature });
    else refuse(`The signature of ${signer.name} (key ${id}) is not valid: ${reasonOf(verdict?.reason)}`);
  }
  const [first] = valid;
  if (!first) {
    if (others.length === 0) refuse('The file is not signed');
    refuse(`The file is signed by the key ${others.join(', ')}, which is none of ${names(signers)}`);
  }
  const { packets } = await first.found.signature;
  return {
    signer: first.signer.name,
    fingerprint: fingerprintOf(first.signer.key),
    signedAt: packets[0]?.created?.toISOString() ?? '',
  };
}

function names(signers: readonly Signer[]): string {
  return signers.map(({ name }) => name).join(', ');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function refuse(detail: string): never {
  throw new CodedError('signature_invalid', { detail });
}
