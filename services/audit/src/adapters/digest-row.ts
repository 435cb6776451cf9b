import type { Transaction } from '@waybill/postgres/database';
import type { Digest } from '../domain/digests/digest.ts';
import { utcText } from './record-columns.ts';

/** A stored digest as `digestSql` selects it: `bigint` arrives as text. */
export type DigestRow = Omit<Digest, 'number' | 'firstSequence' | 'lastSequence'> & {
  number: string;
  firstSequence: string;
  lastSequence: string;
};

/** Selects a `DigestRow`. */
export const digestSql = `
  SELECT number, first_sequence AS "firstSequence", last_sequence AS "lastSequence",
    encode(last_hash, 'hex') AS "lastHash", encode(merkle_root, 'hex') AS "merkleRoot",
    encode(previous_hash, 'hex') AS "previousHash", ${utcText('signed_at')} AS "signedAt",
    public_key AS "publicKey", signature
  FROM audit.digests`;

/** The digest of a row. */
export function toDigest(row: DigestRow): Digest {
  return {
    ...row,
    number: Number(row.number),
    firstSequence: Number(row.firstSequence),
    lastSequence: Number(row.lastSequence),
  };
}

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
