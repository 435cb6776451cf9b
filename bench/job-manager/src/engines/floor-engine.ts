import pg from 'pg';

/**
 * Claims and completes jobs with the fewest statements that keep them and their history: one claims as many as run at a time,
 * without waiting for the disk; one deletes them and adds a line for each, durably. No lease, no steps, one index each, one
 * connection. Returns the milliseconds after the jobs were added.
 */
export async function runFloor(url: string, count: number, atATime: number): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      DROP SCHEMA IF EXISTS floor CASCADE;
      CREATE SCHEMA floor;
      CREATE TABLE floor.active (id bigint PRIMARY KEY, payload jsonb NOT NULL, claimed boolean NOT NULL DEFAULT false);
      CREATE TABLE floor.history (id bigint NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(), what text NOT NULL);
      CREATE INDEX ON floor.history (id);
      SET enable_seqscan = off;
      SET enable_bitmapscan = off`);
    await client.query(`INSERT INTO floor.active (id, payload) SELECT n, '{}' FROM generate_series(1, $1::int) AS n`, [
      count,
    ]);
    const startedAt = performance.now();
    for (let left = count; left > 0;) {
      const { rows } = await client.query<{ id: string }>({
        name: 'claim',
        text: `WITH next AS (SELECT id FROM floor.active WHERE NOT claimed ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED),
           claimed AS (UPDATE floor.active SET claimed = true FROM next WHERE active.id = next.id RETURNING active.id, payload),
           noted AS (INSERT INTO floor.history (id, what) SELECT id, 'start' FROM claimed)
           SELECT id, payload, set_config('synchronous_commit', 'off', true) FROM claimed`,
        values: [atATime],
      });
      if (rows.length === 0) throw new Error('there should be jobs');
      await client.query({
        name: 'complete',
        text: `WITH ended AS (DELETE FROM floor.active WHERE id = ANY ($1::bigint[]) AND claimed RETURNING id)
           INSERT INTO floor.history (id, what) SELECT id, 'complete' FROM ended`,
        values: [rows.map(({ id }) => id)],
      });
      left -= rows.length;
    }
    return performance.now() - startedAt;
  } finally {
    await client.end();
  }
}
