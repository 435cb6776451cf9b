import type { Transaction } from '@waybill/postgres/database';
import type { ChainHead } from '../domain/chain/chain-head.ts';

type ChainHeadRow = Omit<ChainHead, 'sequence' | 'digestNumber' | 'digestedSequence'> & {
  sequence: string;
  digestNumber: string;
  digestedSequence: string;
};

/** The end of the hash chain of earlier releases; this function does not check whether it can be trusted. */
export async function readChainHead(trx: Transaction): Promise<ChainHead | undefined> {
  const { rows } = await trx.raw<{ rows: ChainHeadRow[] }>(`
    SELECT sequence, record_id AS "recordId", encode(record_hash, 'hex') AS "recordHash",
      digest_number AS "digestNumber", encode(digest_hash, 'hex') AS "digestHash",
      digested_sequence AS "digestedSequence", public_key AS "publicKey", signature
    FROM audit.head`);
  const [row] = rows;
  if (!row) return undefined;
  return {
    ...row,
    sequence: Number(row.sequence),
    digestNumber: Number(row.digestNumber),
    digestedSequence: Number(row.digestedSequence),
  };
}
