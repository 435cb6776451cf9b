import type { Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { LogKey, RecordLog, TreeHead } from '../domain/log/record-log.ts';
import type { TreeNode } from '../domain/tree/compact-range.ts';
import { createKnexHashSource } from './knex-hash-source.ts';
import { readChainHead } from './read-chain-head.ts';
import { readRecordRange } from './read-records.ts';
import { stageRecords } from './stage-records.ts';

/** The audit log for its writer. The lock and all changes belong to the transaction. */
export function createKnexRecordLog(trx: Transaction): RecordLog {
  return {
    lockHead: async () => {
      await runPrepared(trx, takeTurn, {});
      const [row] = await runPrepared<HeadRow>(trx, lockedHead, {});
      return row && toTreeHead(row);
    },
    hasRecordsAfter: async (count) => {
      const { rows } = await trx.raw<{ rows: object[] }>('SELECT FROM audit.records WHERE sequence > ? LIMIT 1', [
        count,
      ]);
      return rows.length > 0;
    },
    findRecorded: async (ids) => {
      if (ids.length === 0) return new Set();
      const rows = await runPrepared<{ id: string }>(trx, findRecorded, { ids });
      return new Set(rows.map(({ id }) => id));
    },
    stage: (records) => stageRecords(trx, records),
    appendNodes: (nodes) => insertNodes(trx, nodes),
    saveHead: async (head) => void (await runPrepared(trx, replaceHead, { ...head })),
    listKeys: () => listKeys(trx),
    addKey: async (key) => {
      await trx.raw('INSERT INTO audit.log_keys (public_key, first_size) VALUES (:publicKey, :firstSize)', { ...key });
    },
    hashes: createKnexHashSource(trx),
    readChainHead: () => readChainHead(trx),
    readChain: (last) => readRecordRange(trx, { first: 1, last }),
  };
}

type HeadRow = Omit<TreeHead, 'size'> & { readonly size: string };

const headSql = 'SELECT size, frontier, last_leaf AS "lastLeaf", checkpoint FROM audit.tree_head';

/** The stored end of the log; this function does not check whether it can be trusted. */
export async function readTreeHead(trx: Pick<Transaction, 'raw'>): Promise<TreeHead | undefined> {
  const { rows } = await trx.raw<{ rows: HeadRow[] }>(headSql);
  return rows[0] && toTreeHead(rows[0]);
}

/** The keys in the order in which they signed. */
export async function listKeys(trx: Pick<Transaction, 'raw'>): Promise<LogKey[]> {
  const { rows } = await trx.raw<{ rows: { publicKey: string; firstSize: string }[] }>(
    'SELECT public_key AS "publicKey", first_size AS "firstSize" FROM audit.log_keys ORDER BY first_size, added_at',
  );
  return rows.map(({ publicKey, firstSize }) => ({ publicKey, firstSize: Number(firstSize) }));
}

function toTreeHead({ size, ...row }: HeadRow): TreeHead {
  return { ...row, size: Number(size) };
}

async function insertNodes(trx: Transaction, nodes: readonly TreeNode[]): Promise<void> {
  if (nodes.length === 0) return;
  await runPrepared(trx, appendNodes, {
    levels: nodes.map(({ level }) => level),
    numbers: nodes.map(({ number }) => number),
    hashes: nodes.map(({ hash }) => `\\x${hash.toString('hex')}`),
  });
}

/**
 * Waits for other writers. A change without the advisory lock takes effect before or after the transaction, never
 * within it: otherwise it would be overwritten unnoticed.
 */
const takeTurn = prepareStatement(
  'audit take turn',
  "SELECT pg_advisory_xact_lock(hashtextextended('waybill audit append', 0))",
);

const lockedHead = prepareStatement('audit lock head', `${headSql} FOR UPDATE`);

const findRecorded = prepareStatement(
  'audit find recorded',
  'SELECT id FROM audit.records WHERE id = ANY (CAST(:ids AS uuid[]))',
);

const appendNodes = prepareStatement(
  'audit append nodes',
  `INSERT INTO audit.nodes (level, number, hash)
     SELECT * FROM unnest(CAST(:levels AS smallint[]), CAST(:numbers AS bigint[]), CAST(:hashes AS bytea[]))`,
);

const replaceHead = prepareStatement(
  'audit replace head',
  `INSERT INTO audit.tree_head (size, frontier, last_leaf, checkpoint) VALUES (:size, :frontier, :lastLeaf, :checkpoint)
     ON CONFLICT ("only") DO UPDATE SET (size, frontier, last_leaf, checkpoint) =
       ROW (excluded.size, excluded.frontier, excluded.last_leaf, excluded.checkpoint)`,
);
