import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runSftpBatch, transferCiphers } from '../clients/run-sftp-batch.ts';
import { bigFile, writeBigFile } from '../files/bench-files.ts';
import { keepCoresBusy } from '../processes/busy-cores.ts';
import type { BenchServer } from '../servers/bench-server.ts';
import type { BenchSetting } from '../servers/bench-setting.ts';
import { compareRounds } from './compare-rounds.ts';

/** Relative to the processor seconds of OpenSSH's server, under a competing load. */
const processorBudgets = { put: 1.2, get: 0.7 };

/** One file of 1 GiB up and down, with each cipher: alone, judged by speed, and under a competing load, by processor time. */
export async function measureTransfers(setting: BenchSetting): Promise<void> {
  const { key, clientDir, rounds, directions } = setting;
  const servers = [setting.ours, setting.theirs];
  const source = join(clientDir, bigFile.name);
  const target = join(clientDir, 'received');
  await writeBigFile(source);
  const run = (server: BenchServer, cipher: string, ...commands: string[]) =>
    runSftpBatch({ server, identityFile: key.identityFile, cipher, commands });

  for (const { cipher, name } of transferCiphers) {
    const amount = { rounds, unit: 'MiB/s', amount: bigFile.mebibytes };
    const commands = { put: `put ${source} ${bigFile.name}`, get: `get ${bigFile.name} ${target}` };
    if (!directions.includes('put')) for (const server of servers) await run(server, cipher, commands.put);
    for (const direction of directions) {
      const transfer = { ...amount, turn: (server: BenchServer) => run(server, cipher, commands[direction]) };
      const title = `${direction} 1 GiB, ${name}`;
      await compareRounds(setting, { ...transfer, title, budget: 1.2 });
      await using _load = keepCoresBusy();
      const processorBudget = processorBudgets[direction];
      await compareRounds(setting, { ...transfer, title: `${title}, competing load`, processorBudget });
    }
  }
  for (const server of servers) await run(server, 'aes128-gcm@openssh.com', `rm ${bigFile.name}`);
  for (const file of [source, target]) await rm(file, { force: true });
}
