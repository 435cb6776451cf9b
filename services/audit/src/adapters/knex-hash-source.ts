import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { emptyRange, extendRange, rootOf, tileHeight } from '../domain/tree/compact-range.ts';
import type { HashSource, NodePlace } from '../domain/tree/tree-proofs.ts';

/** Stored hashes of one level from `first` to before `first` + `count`. */
export interface HashRun {
  readonly level: number;
  readonly first: number;
  readonly count: number;
}

/**
 * Reads nodes of the tree. The leaf hashes are in the records (those of the former hash chain in `audit.nodes`), and
 * every eighth level above is in `audit.nodes`: a node between them is computed from up to 128 stored ones.
 */
export function createKnexHashSource(db: Queryable): HashSource {
  return {
    read: async (places) => {
      const runs = places.map(runOf);
      const hashes = await readHashRuns(db, runs);
      return hashes.map((run, index) => {
        if (run.length !== runs[index]?.count) throw new Error('Nodes of the tree of the audit log are missing');
        return rootOf(extendRange(emptyRange, run).range);
      });
    },
  };
}

/** The stored hashes of each run, in order; fewer than requested if some are missing. */
export async function readHashRuns(db: Queryable, runs: readonly HashRun[]): Promise<Buffer[][]> {
  const hashes: Buffer[][] = runs.map(() => []);
  for (const statement of [leafStatement, nodeStatement]) {
    const chosen = [...runs.entries()].filter(([, { level }]) => (level === 0) === (statement === leafStatement));
    if (chosen.length === 0) continue;
    const rows = await runPrepared<{ run: number; hash: Buffer }>(db, statement, {
      runs: chosen.map(([run]) => run),
      levels: chosen.map(([, { level }]) => level),
      firsts: chosen.map(([, { first }]) => first),
      ends: chosen.map(([, { first, count }]) => first + count),
    });
    for (const { run, hash } of rows) hashes[run]?.push(hash);
  }
  return hashes;
}

function runOf({ level, number }: NodePlace): HashRun {
  const above = level % tileHeight;
  return { level: level - above, first: number * 2 ** above, count: 2 ** above };
}

const wanted = `unnest(CAST(:runs AS integer[]), CAST(:levels AS smallint[]), CAST(:firsts AS bigint[]),
     CAST(:ends AS bigint[])) AS wanted (run, level, first, "end")`;

/**
 * A run lies within one tile; the leaf hashes of archived records are stored as tiles. The limit is that of a tile; with the order it makes PostgreSQL read the index whatever it expects of the table. */
const leafStatement = prepareStatement(
  'audit read leaf hashes',
  `SELECT wanted.run, found.hash FROM ${wanted}
   CROSS JOIN LATERAL (
     (SELECT r.sequence, CASE WHEN r.previous_hash IS NULL THEN r.hash ELSE (
       SELECT n.hash FROM audit.nodes n WHERE n.level = wanted.level AND n.number = r.sequence - 1) END AS hash
     FROM audit.records r WHERE r.sequence > wanted.first AND r.sequence <= wanted."end"
     ORDER BY r.sequence LIMIT 256)
     UNION ALL
     SELECT t.number * 256 + place + 1, substr(t.hashes, place * 32 + 1, 32)
     FROM audit.leaf_tiles t, generate_series(0, 255) AS place
     WHERE t.number = wanted.first / 256 AND t.number * 256 + place >= wanted.first
       AND t.number * 256 + place < wanted."end") found
   ORDER BY wanted.run, found.sequence`,
);

const nodeStatement = prepareStatement(
  'audit read nodes',
  `SELECT wanted.run, found.hash FROM ${wanted}
   CROSS JOIN LATERAL (
     SELECT n.number, n.hash FROM audit.nodes n
     WHERE n.level = wanted.level AND n.number >= wanted.first AND n.number < wanted."end"
     ORDER BY n.number LIMIT 256) found
   ORDER BY wanted.run, found.number`,
);
