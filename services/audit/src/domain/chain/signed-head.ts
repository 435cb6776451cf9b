import { canonicalJson } from '../canonical-json.ts';
import type { Signer } from '../keys/signer.ts';
import type { TrustedKeys } from '../keys/trusted-keys.ts';
import type { ChainHead } from './chain-head.ts';

/** A head signed by the writer, so that nothing else can move it. */
export interface SignedHead extends ChainHead {
  readonly publicKey: string;
  readonly signature: string;
}

/** Signs a head. */
export function signHead(head: ChainHead, signer: Signer): SignedHead {
  const { publicKey } = signer;
  return { ...head, publicKey, signature: signer.sign(textOf({ ...head, publicKey })) };
}

/** True if a trusted key has signed exactly this head. */
export function isHeadSigned(head: SignedHead, trusted: TrustedKeys): boolean {
  const { publicKey, signature } = head;
  return trusted.verify({ publicKey, signature, text: textOf(head) });
}

function textOf(head: ChainHead & { publicKey: string }): string {
  const { sequence, recordId, recordHash, digestNumber, digestHash, digestedSequence, publicKey } = head;
  return canonicalJson({
    digestHash,
    digestNumber,
    digestedSequence,
    kind: 'head',
    publicKey,
    recordHash,
    recordId,
    sequence,
    version: 1,
  });
}
