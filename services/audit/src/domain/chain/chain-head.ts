import { canonicalJson } from '../canonical-json.ts';
import type { TrustedKeys } from '../keys/trusted-keys.ts';

/** The signed end of the hash chain that earlier releases wrote. Hashes are SHA-256 in hexadecimal. */
export interface ChainHead {
  /** Of the last record. */
  readonly sequence: number;
  readonly recordId: string;
  readonly recordHash: string;
  /** Of the last digest; 0 without digests. */
  readonly digestNumber: number;
  readonly digestHash: string;
  /** The last record that a digest covers. */
  readonly digestedSequence: number;
  readonly publicKey: string;
  readonly signature: string;
}

/** True if a trusted key has signed exactly this head. */
export function isHeadSigned(head: ChainHead, trusted: TrustedKeys): boolean {
  const { signature, ...statement } = head;
  const text = canonicalJson({ ...statement, kind: 'head', version: 1 });
  return trusted.verify({ publicKey: head.publicKey, signature, text });
}
