import type { Transaction } from '@waybill/postgres/database';
import type { Digest } from '../domain/digests/digest.ts';

/** Stores a digest. */
export async function insertDigest(trx: Transaction, digest: Digest): Promise<void> {
  await trx.raw(
    `INSERT INTO audit.digests (number, first_sequence, last_sequence, last_hash, merkle_root, previous_hash, signed_at,
       public_key, signature)
     VALUES (:number, :firstSequence, :lastSequence, decode(:lastHash, 'hex'), decode(:merkleRoot, 'hex'),
       decode(:previousHash, 'hex'), :signedAt, :publicKey, :signature)`,
    { ...digest },
  );
}
