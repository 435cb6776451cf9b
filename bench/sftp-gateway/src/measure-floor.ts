import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BenchSetting } from './bench-setting.ts';
import { clientProcessorSeconds } from './client-processor-seconds.ts';
import { median } from './median.ts';
import { runSftpBatch } from './run-sftp-batch.ts';
import type { FloorWork } from './store-at-the-floor.ts';
import { writeSmallFiles } from './write-small-files.ts';

const program = fileURLToPath(new URL('store-at-the-floor.ts', import.meta.url));

/**
 * What it takes at the least to store small files durably, whatever serves them: each is created, written and synced, its
 * folder is synced, and a row is committed to the same PostgreSQL. There is no client, no SSH, no index and no record. Beside
 * it what OpenSSH's server makes of such files, and what its client takes of the processors that all of them share.
 */
export async function measureFloor(setting: BenchSetting): Promise<void> {
  const { ours, theirs, key, clientDir, serverDir, rounds, smallFiles: files } = setting;
  await ours.db.raw('CREATE TABLE IF NOT EXISTS floor (id uuid PRIMARY KEY)');
  for (const atATime of [1, 8]) {
    const parts = Array.from({ length: atATime }, (_, part) => `floor-${atATime}-${part}`);
    for (const part of parts) await writeSmallFiles(join(clientDir, part), files / atATime);
    const run = (...commands: string[]) => runSftpBatch({ server: theirs, identityFile: key.identityFile, commands });
    await run(...parts.map((part) => `mkdir ${part}`));
    const put = (part: string) => run(`cd ${part}`, `put ${join(clientDir, part)}/*`);

    const [floors, puts, clients]: [number[], number[], number[]] = [[], [], []];
    // The first round warms up.
    for (let round = -1; round < rounds; round += 1) {
      const floor =
        files / (await storeFiles({ databaseUrl: ours.databaseUrl, folder: join(serverDir, 'floor'), files, atATime }));
      const clientBefore = await clientProcessorSeconds();
      const seconds = Math.max(...(await Promise.all(parts.map(put))));
      const client = (await clientProcessorSeconds()) - clientBefore;
      if (round < 0) continue;
      floors.push(floor);
      puts.push(files / seconds);
      clients.push((client / files) * 1_000);
    }
    console.log(
      `floor of put ${files} files of 4 KiB, ${atATime} at a time`.padEnd(44),
      `${theirs.name} ${median(puts).toFixed(0)}, fsync of file and folder and a commit ${median(floors).toFixed(0)} files/s,`,
      `ratio ${(median(floors) / median(puts)).toFixed(2)}; the client takes ${median(clients).toFixed(2)} ms of a processor per file`,
    );
    for (const part of parts) await rm(join(clientDir, part), { recursive: true });
  }
}

/** Answers the seconds that it took, in a process of its own with as many threads for its files as the gateway's. */
async function storeFiles(work: FloorWork): Promise<number> {
  const env = { ...process.env, UV_THREADPOOL_SIZE: '16' };
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(work)], { env });
  return Number(stdout);
}
