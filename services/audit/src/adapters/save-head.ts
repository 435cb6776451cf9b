import type { Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { SignedHead } from '../domain/chain/signed-head.ts';

/** Replaces the head. */
export async function saveHead(trx: Transaction, head: SignedHead): Promise<void> {
  await runPrepared(trx, replacement, { ...head });
}

const replacement = prepareStatement(
  'audit save head',
  `INSERT INTO audit.head (sequence, record_id, record_hash, digest_number, digest_hash, digested_sequence,
       public_key, signature)
     VALUES (CAST(:sequence AS bigint), CAST(:recordId AS uuid), decode(:recordHash, 'hex'), :digestNumber, decode(:digestHash, 'hex'),
       :digestedSequence, :publicKey, :signature)
     ON CONFLICT ("only") DO UPDATE SET (sequence, record_id, record_hash, digest_number, digest_hash, digested_sequence,
       public_key, signature) = ROW (excluded.sequence, excluded.record_id, excluded.record_hash,
       excluded.digest_number, excluded.digest_hash, excluded.digested_sequence, excluded.public_key, excluded.signature)`,
);
