import type { Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { SignedHead } from '../domain/chain/signed-head.ts';

type HeadRow = Omit<SignedHead, 'sequence' | 'digestNumber' | 'digestedSequence'> & {
  sequence: string;
  digestNumber: string;
  digestedSequence: string;
};

const headSql = `
  SELECT sequence, record_id AS "recordId", encode(record_hash, 'hex') AS "recordHash",
    digest_number AS "digestNumber", encode(digest_hash, 'hex') AS "digestHash",
    digested_sequence AS "digestedSequence", public_key AS "publicKey", signature
  FROM audit.head`;

/** The stored head of the audit log; this function does not check whether it can be trusted. */
export async function readHead(trx: Transaction): Promise<SignedHead | undefined> {
  const { rows } = await trx.raw<{ rows: HeadRow[] }>(headSql);
  return rows[0] && toHead(rows[0]);
}

/**
 * The head for its only writer, which waits for other writers to finish. A change without the advisory lock takes
 * effect before or after the transaction, never within it: otherwise it would be overwritten unnoticed.
 */
export async function lockHead(trx: Transaction): Promise<SignedHead | undefined> {
  await runPrepared(trx, takeTurn, {});
  const [row] = await runPrepared<HeadRow>(trx, lockedHead, {});
  return row && toHead(row);
}

const takeTurn = prepareStatement(
  'audit take turn',
  "SELECT pg_advisory_xact_lock(hashtextextended('waybill audit append', 0))",
);

const lockedHead = prepareStatement('audit lock head', `${headSql} FOR UPDATE`);

function toHead(row: HeadRow): SignedHead {
  return {
    ...row,
    sequence: Number(row.sequence),
    digestNumber: Number(row.digestNumber),
    digestedSequence: Number(row.digestedSequence),
  };
}
