import { nodeHash } from '../src/domain/tree/tree-hash.ts';

/** The root that a proof of inclusion leads to (RFC 9162 section 2.1.3.2); `undefined` if it has a wrong length. */
export function rootFromProof(claim: {
  readonly leaf: Buffer;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly Buffer[];
}): Buffer | undefined {
  let root = claim.leaf;
  let place = { node: claim.index, last: claim.size - 1 };
  const up = () => ({ node: Math.floor(place.node / 2), last: Math.floor(place.last / 2) });
  for (const hash of claim.proof) {
    if (place.last === 0) return undefined;
    const isRight = place.node % 2 === 1 || place.node === place.last;
    root = isRight ? nodeHash(hash, root) : nodeHash(root, hash);
    if (isRight) while (place.node % 2 === 0 && place.node !== 0) place = up();
    place = up();
  }
  return place.last === 0 ? root : undefined;
}
