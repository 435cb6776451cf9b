import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runSftpBatch, transferCiphers } from '../clients/run-sftp-batch.ts';
import { bigFile, writeBigFile } from '../files/bench-files.ts';
import { keepCoresBusy } from '../processes/busy-cores.ts';
import { clientProcessorSeconds } from '../processes/read-processor-seconds.ts';
import type { BenchServer } from '../servers/bench-server.ts';
import type { BenchSetting } from '../servers/bench-setting.ts';
import { startBareServer } from '../servers/start-bare-server.ts';
import { median } from './compare-rounds.ts';

const run = promisify(execFile);

/** For one server's turns, all in seconds. */
interface Tally {
  readonly server: BenchServer;
  readonly seconds: number[];
  readonly client: number[];
  readonly used: number[];
}

/**
 * What a transfer of 1 GiB costs at least, independent of what is behind the server: besides OpenSSH's server and ours, one
 * in Node that answers each READ at once from memory, and of each WRITE computes the SHA-256 and writes it to a file, which
 * it flushes to the disk at CLOSE. It has no user, no database, and no limits.
 */
export async function measureTransferFloor(setting: BenchSetting): Promise<void> {
  const { ours, theirs, serverDir, clientDir, key, rounds, directions } = setting;
  await using bare = await startBareServer(join(serverDir, 'bare'));
  const [source, target] = [join(clientDir, bigFile.name), join(clientDir, 'received')];
  await writeBigFile(source);
  const commands = { put: `put ${source} ${bigFile.name}`, get: `get ${bigFile.name} ${target}` };
  const ask = (server: BenchServer, cipher: string, command: string) =>
    runSftpBatch({ server, identityFile: key.identityFile, cipher, commands: [command] });
  for (const { cipher, name } of transferCiphers) {
    for (const server of [ours, theirs]) await ask(server, cipher, commands.put);
    for (const direction of directions) {
      const transfer = (server: BenchServer) => ask(server, cipher, commands[direction]);
      const title = `${direction} 1 GiB, ${name}`;
      report(title, await takeTurns([theirs, ours, bare], rounds, transfer));
      await using _load = keepCoresBusy();
      report(`${title}, competing load`, await takeTurns([theirs, ours, bare], rounds, transfer));
    }
  }
}

async function takeTurns(
  servers: readonly BenchServer[],
  rounds: number,
  transfer: (server: BenchServer) => Promise<number>,
): Promise<Tally[]> {
  const tallies = servers.map((server): Tally => ({ server, seconds: [], client: [], used: [] }));
  // The first round warms up.
  for (let round = -1; round < rounds; round += 1) {
    for (const { server, seconds, client, used } of tallies) {
      await run('sync');
      const before = { client: await clientProcessorSeconds(), used: await server.processorSeconds() };
      const taken = await transfer(server);
      if (round < 0) continue;
      seconds.push(taken);
      client.push((await clientProcessorSeconds()) - before.client);
      used.push((await server.processorSeconds()) - before.used);
    }
  }
  return tallies;
}

function report(title: string, tallies: readonly Tally[]): void {
  const theirs = median(tallies[0]?.seconds ?? []);
  const theirsUsed = median(tallies[0]?.used ?? []);
  const figures = tallies.map(
    ({ server, seconds, client, used }) =>
      `${server.name} ${median(seconds).toFixed(2)} s (${(theirs / median(seconds)).toFixed(2)} of the speed),` +
      ` of the processors client ${median(client).toFixed(2)} s, server ${median(used).toFixed(2)} s` +
      ` (${(median(used) / theirsUsed).toFixed(2)})`,
  );
  console.log(`floor of ${title}: ${availableParallelism()} cores\n  ${figures.join('\n  ')}`);
}
