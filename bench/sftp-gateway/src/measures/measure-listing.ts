import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runSftpBatch } from '../clients/run-sftp-batch.ts';
import type { BenchSetting } from '../servers/bench-setting.ts';
import { compareRounds } from './compare-rounds.ts';

const entries = 100_000;

/** `ls -l -f` of a folder of 100 000 files: everything is read and printed, nothing sorted. */
export async function measureListing(setting: BenchSetting): Promise<void> {
  const { ours, theirs, key, rounds } = setting;
  await mkdir(join(theirs.folder, 'many'));
  for (let entry = 1; entry <= entries; entry += 1) await writeFile(join(theirs.folder, 'many', nameOf(entry)), '');
  await runSftpBatch({ server: ours, identityFile: key.identityFile, commands: ['mkdir many'] });
  // Counting so many rows in one transaction is slow, and no listing over SFTP needs the count.
  await ours.db.raw('ALTER TABLE filebox.entries DISABLE TRIGGER USER');
  await ours.db.raw(
    `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner, storage_class, blob_id, size, sha256, media_type,
       put_at, metadata, system_metadata, dfic)
     SELECT vfs_id, id, 'file', 'file-' || lpad(n::text, 8, '0') || '.csv', 'bench', 'local', gen_random_uuid(), 0,
       sha256(''), 'text/csv', now(), '{}', '{}', '{"userAttrs":{}}'
     FROM filebox.entries, generate_series(1, ?) AS n WHERE name = 'many'`,
    [entries],
  );
  await ours.db.raw('ALTER TABLE filebox.entries ENABLE TRIGGER USER');
  await ours.db.raw('VACUUM ANALYZE filebox.entries');
  await compareRounds(setting, {
    title: 'ls of 100 000 entries',
    rounds,
    budget: 1,
    unit: 'entries/s',
    amount: entries,
    turn: (server) => runSftpBatch({ server, identityFile: key.identityFile, commands: ['ls -lf many'] }),
  });
}

function nameOf(entry: number): string {
  return `file-${String(entry).padStart(8, '0')}.csv`;
}
