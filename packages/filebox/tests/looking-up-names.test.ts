import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const at = parseVirtualPath;

test('a connection as old as the index looks up a name by the index of names, however the folder grew', async () => {
  const { filebox, db, put, get } = await openTestFilebox({ poolSize: 1 });
  await filebox.ensureFolders(vfsId, [at('/in')]);
  // PostgreSQL plans a statement of a connection five times, and may then keep a generic plan.
  for (let round = 0; round < 8; round += 1) {
    await put('/in/file', `${round}`);
    expect(await get('/in/file')).toBe(`${round}`);
    await filebox.find(vfsId, at('/in/file'), { includeUploadOf: acme.userName });
    await filebox.deleteFile(vfsId, at('/in/file'), { origin: acme });
  }
  await db.raw('SELECT pg_stat_force_next_flush()');
  const { rows } = await db.raw<{ rows: { index: string; reads: string }[] }>(
    `SELECT indexrelname AS index, idx_scan AS reads FROM pg_stat_user_indexes WHERE relname = 'entries'`,
  );
  const readsOf = (name: string): number => Number(rows.find(({ index }) => index === name)?.reads);
  expect(readsOf('entries_name')).toBeGreaterThan(20);
  for (const other of ['entries_suffix', 'entries_size', 'entries_put', 'entries_read', 'entries_expiry']) {
    expect([other, readsOf(other)]).toEqual([other, 0]);
  }
});
