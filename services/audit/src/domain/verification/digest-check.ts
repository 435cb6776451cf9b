import { genesis } from '../chain/chain-head.ts';
import type { ChainedRecord } from '../chain/chained-record.ts';
import type { SignedHead } from '../chain/signed-head.ts';
import { hashDigest, isDigestSigned, type Digest } from '../digests/digest.ts';
import { merkleRoot } from '../digests/merkle-root.ts';
import { signedByUnknown, type TrustedKeys } from '../keys/trusted-keys.ts';
import type { Findings } from './findings.ts';

/** Compares the records with the digests. */
export interface DigestCheck {
  /** The next records in order of sequence numbers. */
  take(records: readonly ChainedRecord[]): Promise<void>;
  /** After the last record: reads the remaining digests, and compares the last one with the head. */
  end(head: SignedHead | undefined): Promise<void>;
  readonly count: number;
}

/** Reads the digests, in order of their numbers, along with the records. */
export function createDigestCheck(options: {
  digests: AsyncIterator<Digest, undefined>;
  trusted: TrustedKeys;
  findings: Findings;
}): DigestCheck {
  const { digests, trusted, findings } = options;
  const chain = createDigestChain(trusted, findings);
  let current: Digest | 'not begun' | undefined = 'not begun';
  let hashes: string[] = [];

  /** Completes a digest and returns the next one that can be trusted. */
  const after = async (finished: typeof current): Promise<Digest | undefined> => {
    if (finished && finished !== 'not begun') compare(finished, hashes, findings);
    hashes = [];
    for (;;) {
      const next = await digests.next();
      if (next.done === true) return undefined;
      if (chain.take(next.value)) return next.value;
    }
  };

  return {
    get count() {
      return chain.count;
    },
    take: async (records) => {
      if (current === 'not begun') current = await after(current);
      for (const { sequence, hash } of records) {
        while (current && sequence > current.lastSequence) current = await after(current);
        if (current && sequence >= current.firstSequence) hashes.push(hash);
      }
    },
    end: async (head) => {
      while (current) current = await after(current);
      chain.end(head);
    },
  };
}

/** Checks the chain of the digests. */
function createDigestChain(trusted: TrustedKeys, findings: Findings) {
  let last = { number: genesis.digestNumber, hash: genesis.digestHash, lastSequence: genesis.digestedSequence };
  let count = 0;
  return {
    get count() {
      return count;
    },
    /** False if the digest is no proof. */
    take: (digest: Digest): boolean => {
      const { number, lastSequence } = digest;
      const signed = isDigestSigned(digest, trusted);
      if (!signed && !trusted.has(digest.publicKey)) {
        findings.add('digest_key_unknown', number, `Digest ${number} ${signedByUnknown(digest.publicKey)}`);
      } else if (!signed) {
        findings.add('digest_altered', number, `Digest ${number} is not what was signed`);
      } else if (number !== last.number + 1) {
        findings.add('digests_missing', last.number + 1, `Digest ${number} comes after digest ${last.number}`);
      } else if (digest.previousHash !== last.hash || digest.firstSequence !== last.lastSequence + 1) {
        findings.add('digest_altered', number, `Digest ${number} does not follow the digest before it`);
      }
      count += 1;
      last = { number, hash: hashDigest(digest), lastSequence };
      return signed;
    },
    end: (head: SignedHead | undefined): void => {
      if (!head || (head.digestNumber === last.number && head.digestHash === last.hash)) return;
      const message = `The digests end at ${last.number}, the signed head says ${head.digestNumber}`;
      findings.add('digests_missing', last.number, message);
    },
  };
}

function compare(digest: Digest, hashes: readonly string[], findings: Findings): void {
  const { number, firstSequence, lastSequence } = digest;
  const sameCount = hashes.length === lastSequence - firstSequence + 1;
  if (sameCount && hashes.at(-1) === digest.lastHash && merkleRoot(hashes) === digest.merkleRoot) return;
  const message = `Records ${firstSequence} to ${lastSequence} are not those that digest ${number} was signed for`;
  findings.add('digest_mismatch', number, message);
}
