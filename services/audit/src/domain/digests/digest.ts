import { canonicalJson } from '../canonical-json.ts';
import { sha256 } from '../chain/hash-record.ts';
import type { Signer } from '../keys/signer.ts';
import type { TrustedKeys } from '../keys/trusted-keys.ts';

/** The content of a digest about a range of records. Hashes are SHA-256 in hexadecimal. */
export interface DigestStatement {
  /** 1, 2, 3, ... without gaps. */
  readonly number: number;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** Hash of the record `lastSequence`. */
  readonly lastHash: string;
  /** Root of the Merkle tree over the hashes of the range. */
  readonly merkleRoot: string;
  /** Hash of the previous digest. */
  readonly previousHash: string;
  /** ISO 8601 in UTC. */
  readonly signedAt: string;
  readonly publicKey: string;
}

/** A signed statement about a range of records. */
export interface Digest extends DigestStatement {
  readonly signature: string;
}

/** Signs a range. */
export function signDigest(statement: Omit<DigestStatement, 'publicKey'>, signer: Signer): Digest {
  const complete = { ...statement, publicKey: signer.publicKey };
  return { ...complete, signature: signer.sign(textOf(complete)) };
}

/** True if a trusted key has signed exactly this digest. */
export function isDigestSigned(digest: Digest, trusted: TrustedKeys): boolean {
  const { publicKey, signature } = digest;
  return trusted.verify({ publicKey, signature, text: textOf(digest) });
}

/** The hash by which the next digest refers to this one: the hash of the signed text. */
export function hashDigest(digest: DigestStatement): string {
  return sha256(textOf(digest));
}

function textOf(statement: DigestStatement): string {
  const { number, firstSequence, lastSequence, lastHash, merkleRoot, previousHash, signedAt, publicKey } = statement;
  return canonicalJson({
    firstSequence,
    kind: 'digest',
    lastHash,
    lastSequence,
    merkleRoot,
    number,
    previousHash,
    publicKey,
    signedAt,
    version: 1,
  });
}
