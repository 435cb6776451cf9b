import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchReport } from './watch-report.ts';

it('fires some time after the report was written, and not before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'watch-report-'));
  try {
    const file = join(folder, 'report.json');
    using watch = watchReport(file, { patienceMs: 100, intervalMs: 5 });
    await sleep(200);
    expect(watch.signal.aborted).toBe(false);
    await writeFile(file, '{}');
    await expect.poll(() => watch.signal.aborted).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});
