import { appendSelected } from '@waybill/outbox/append-selected-sql';
import type { Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { entryRecordSql, recordBindings, type Deleter } from '../messages/entry-record-sql.ts';
import type { PlacedFolder } from './tree-cursor.ts';

/** Deleted files. */
export interface TakenFiles {
  files: number;
  bytes: number;
  /** Some of their blobs, at most as many as requested. */
  blobIds: readonly string[];
}

/** Who deletes, and how many blobs are still requested. */
interface Taking extends Deleter {
  blobsAtMost(): number;
}

/**
 * The number of files that one statement deletes: it takes a fraction of a second, after which a deletion can be
 * cancelled.
 */
const batch = 5_000;

/** Sorts after every possible name: longer, and of the last code point. */
const beyondAllNames = '\u{10FFFF}'.repeat(64);

/**
 * Deletes the files of locked folders, with their audit records; their blobs are on the list of removals then. Counts
 * are not updated: see `deleteTree`.
 */
export async function* takeFiles(
  trx: Transaction,
  folders: readonly PlacedFolder[],
  taking: Taking,
): AsyncGenerator<TakenFiles> {
  for (const group of groupsOf(folders)) {
    const expected = group.reduce((sum, { files }) => sum + files, 0);
    let all = 0;
    // Until there are none: a file that was renamed or replaced at that moment was skipped.
    for (let taken = -1; taken !== 0;) {
      taken = 0;
      for await (const some of takeOnce(trx, group, { ...taking, expected: expected - all })) {
        all += some.files;
        taken += some.files;
        yield some;
      }
    }
  }
}

/**
 * Groups of folders that together have no more files than one statement may delete; a folder with more is a group by
 * itself.
 */
function* groupsOf(folders: readonly PlacedFolder[]): Generator<PlacedFolder[]> {
  let [group, files]: [PlacedFolder[], number] = [[], 0];
  for (const folder of folders) {
    if (group.length > 0 && files + folder.files > batch) {
      yield group;
      [group, files] = [[], 0];
    }
    group.push(folder);
    files += folder.files;
  }
  if (group.length > 0) yield group;
}

interface Slice {
  files: string;
  bytes: string;
  blob_ids: string[];
  /** Null for the last slice. */
  last_name: string | null;
}

/** One folder's files in slices by name, or all files of several folders at once. */
async function* takeOnce(
  trx: Transaction,
  folders: readonly PlacedFolder[],
  { blobsAtMost, expected, ...deleter }: Taking & { expected: number },
): AsyncGenerator<TakenFiles> {
  // Several folders need no slices: they have no more files than one statement deletes.
  const place = {
    ids: folders.map(({ id }) => id),
    paths: folders.map(({ path }) => path),
    slicedId: folders.length === 1 ? folders[0]?.id : null,
    beyondAllNames,
  };
  const nodeId = deleter.origin.peerName;
  let left = expected;
  for (let after: string | null = ''; after !== null;) {
    const record = recordBindings('fileDeleted', deleter);
    const bindings: Record<string, unknown> = { ...record, ...place, after, blobsAtMost: blobsAtMost() };
    const atMost = Math.max(0, Math.min(left, batch));
    const slice: Slice = await appendSelected(trx, { atMost, nodeId }, async (given) => {
      const [result] = await runPrepared<Slice>(trx, takeStatement, { ...bindings, ...given });
      if (!result) throw new Error('a statement that returns one row returned none');
      return { result, appended: Number(result.files) };
    });
    left -= Number(slice.files);
    yield { files: Number(slice.files), bytes: Number(slice.bytes), blobIds: slice.blob_ids };
    after = slice.last_name;
  }
}

/** By conditions on the rows themselves, not by ids: PostgreSQL rechecks them after a wait for another transaction. */
const takeStatement = prepareStatement(
  'filebox take files',
  `WITH last AS (
     SELECT name FROM filebox.entries
     WHERE parent_id = CAST(:slicedId AS bigint) AND kind = 'file' AND name > CAST(:after AS text)
     ORDER BY name OFFSET ${batch - 1} LIMIT 1
   ), gone AS (
     DELETE FROM filebox.entries
     WHERE parent_id = ANY (CAST(:ids AS bigint[])) AND kind = 'file' AND name > CAST(:after AS text)
       AND name <= COALESCE((SELECT name FROM last), CAST(:beyondAllNames AS text))
     RETURNING id, parent_id, name, dfic ->> 'dfiid' AS dfiid, blob_id, storage_class, size
   ), removals AS (
     INSERT INTO filebox.blob_removals (blob_id, storage_class)
     SELECT DISTINCT blob_id, storage_class FROM gone ORDER BY blob_id
     ON CONFLICT (blob_id) DO UPDATE SET recorded_at = excluded.recorded_at
   ), told AS (
     ${entryRecordSql(`
       SELECT gone.id, folder.path || '/' || gone.name AS path, dfiid
       FROM gone JOIN unnest(CAST(:ids AS bigint[]), CAST(:paths AS text[])) AS folder (id, path) ON folder.id = parent_id
       ORDER BY gone.id`)}
   )
   SELECT count(*) AS files, COALESCE(sum(size), 0) AS bytes,
     ARRAY(SELECT blob_id FROM gone LIMIT CAST(:blobsAtMost AS integer)) AS blob_ids, (SELECT name FROM last) AS last_name
   FROM gone`,
);
