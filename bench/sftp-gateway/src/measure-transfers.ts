import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchServer } from './bench-server.ts';
import type { BenchSetting } from './bench-setting.ts';
import { compareRounds } from './compare-rounds.ts';
import { runSftpBatch } from './run-sftp-batch.ts';

const mebibytes = 1024;

/** One file of 1 GiB up and down, with each cipher. */
export async function measureTransfers(setting: BenchSetting): Promise<void> {
  const { key, clientDir, rounds } = setting;
  const source = join(clientDir, 'gibibyte');
  const target = join(clientDir, 'received');
  await writeRandomFile(source);
  const run = (server: BenchServer, cipher: string, ...commands: string[]) =>
    runSftpBatch({ server, identityFile: key.identityFile, cipher, commands });

  for (const cipher of ['aes128-gcm@openssh.com', 'chacha20-poly1305@openssh.com']) {
    const name = cipher.split('@')[0] ?? cipher;
    const amount = { rounds, budget: 1.2, unit: 'MiB/s', amount: mebibytes };
    await compareRounds(setting, {
      title: `put 1 GiB, ${name}`,
      ...amount,
      turn: (server) => run(server, cipher, `put ${source} gibibyte`),
    });
    await compareRounds(setting, {
      title: `get 1 GiB, ${name}`,
      ...amount,
      turn: (server) => run(server, cipher, `get gibibyte ${target}`),
    });
  }
  for (const server of [setting.ours, setting.theirs]) await run(server, 'aes128-gcm@openssh.com', 'rm gibibyte');
  for (const file of [source, target]) await rm(file, { force: true });
}

async function writeRandomFile(path: string): Promise<void> {
  await using file = await open(path, 'w');
  for (let part = 0; part < mebibytes; part += 1) await file.write(randomBytes(1024 * 1024));
}
