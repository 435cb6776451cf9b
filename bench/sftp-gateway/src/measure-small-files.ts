import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchServer } from './bench-server.ts';
import type { BenchSetting } from './bench-setting.ts';
import { compareRounds } from './compare-rounds.ts';
import { runSftpBatch } from './run-sftp-batch.ts';
import { writeSmallFiles } from './write-small-files.ts';

/** Files of 4 KiB up and down, in one session and over eight at a time. */
export async function measureSmallFiles(setting: BenchSetting): Promise<void> {
  const { key, clientDir, rounds, smallFiles: files } = setting;
  const [source, target] = [join(clientDir, 'small'), join(clientDir, 'received')];
  const run = (server: BenchServer, ...commands: string[]) =>
    runSftpBatch({ server, identityFile: key.identityFile, commands });

  for (const { sessions, budget } of [
    { sessions: 1, budget: 1 },
    { sessions: 8, budget: 1.5 },
  ]) {
    const parts = Array.from({ length: sessions }, (_, part) => `part-${sessions}-${part}`);
    for (const part of parts) await writeSmallFiles(join(source, part), files / sessions);
    for (const server of [setting.ours, setting.theirs]) await run(server, ...parts.map((part) => `mkdir ${part}`));
    // All of them under one clock: the slowest session ends it.
    const together = async (server: BenchServer, command: (part: string) => string): Promise<number> =>
      Math.max(...(await Promise.all(parts.map((part) => run(server, `cd ${part}`, command(part))))));
    const form = { rounds, budget, unit: 'files/s', amount: files };
    const title = `${files} files of 4 KiB, ${sessions} session${sessions === 1 ? '' : 's'}`;
    await compareRounds(setting, {
      title: `put ${title}`,
      ...form,
      turn: (server) => together(server, (part) => `put ${join(source, part)}/*`),
    });
    await mkdir(target, { recursive: true });
    await compareRounds(setting, {
      title: `get ${title}`,
      ...form,
      turn: (server) => together(server, () => `get * ${target}/`),
    });
    for (const folder of [source, target]) await rm(folder, { recursive: true, force: true });
  }
}
