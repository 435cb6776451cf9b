import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runSftpBatch } from '../clients/run-sftp-batch.ts';
import { transferCiphers } from '../clients/transfer-ciphers.ts';
import { bigFile, writeBigFile } from '../files/big-file.ts';
import type { BenchServer } from '../servers/bench-server.ts';
import type { BenchSetting } from '../servers/bench-setting.ts';
import { compareRounds } from './compare-rounds.ts';

/** One file of 1 GiB up and down, with each cipher. */
export async function measureTransfers(setting: BenchSetting): Promise<void> {
  const { key, clientDir, rounds, directions } = setting;
  const servers = [setting.ours, setting.theirs];
  const source = join(clientDir, bigFile.name);
  const target = join(clientDir, 'received');
  await writeBigFile(source);
  const run = (server: BenchServer, cipher: string, ...commands: string[]) =>
    runSftpBatch({ server, identityFile: key.identityFile, cipher, commands });

  for (const { cipher, name } of transferCiphers) {
    const amount = { rounds, budget: 1.2, unit: 'MiB/s', amount: bigFile.mebibytes };
    const commands = { put: `put ${source} ${bigFile.name}`, get: `get ${bigFile.name} ${target}` };
    if (!directions.includes('put')) for (const server of servers) await run(server, cipher, commands.put);
    for (const direction of directions) {
      await compareRounds(setting, {
        title: `${direction} 1 GiB, ${name}`,
        ...amount,
        turn: (server) => run(server, cipher, commands[direction]),
      });
    }
  }
  for (const server of servers) await run(server, 'aes128-gcm@openssh.com', `rm ${bigFile.name}`);
  for (const file of [source, target]) await rm(file, { force: true });
}
