import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLoginKey } from '@waybill/bench-sftp-gateway/servers/create-login-key';
import { startOpensshServer } from '@waybill/bench-sftp-gateway/servers/start-openssh-server';
import { benchUsers } from './bench-configuration.ts';
import { freshFolder, loginOf, makeFolders, type BenchSetting } from './bench-setting.ts';
import { measureLatencies } from './latencies.ts';
import { measureFloor } from './latency-floor.ts';
import {
  printDelay,
  printFloor,
  printGoal,
  printLatencies,
  printProcessorTimes,
  printPrograms,
  printWaitingMemory,
} from './print-results.ts';
import { measureIdleTime, measureProcessorTime } from './processor-time.ts';
import { measurePrograms, packTree } from './sshfs-programs.ts';
import { startBenchPlatform } from './start-bench-platform.ts';
import { measureAuditVisibility, measureJobStart, measureJobStartAtRate } from './visibility.ts';
import { measureWaitingMemory } from './waiting-memory.ts';

// The cost of a small file for the whole platform: `npm run bench:pipeline -- [part ...] [--files n] [--seconds n]`.
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '2000' },
    operations: { type: 'string', default: '300' },
    uploads: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
  },
});
const [files, operations, uploads] = [Number(values.files), Number(values.operations), Number(values.uploads)];

await using cleanUp = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
const inFolder = async (name: string): Promise<string> => {
  await mkdir(join(folder, name));
  return join(folder, name);
};
const { publicKey, identityFile } = await createLoginKey(folder);
const key = { publicKey, privateKey: await readFile(identityFile) };

const measurements = {
  processors: async (setting: BenchSetting) => {
    // The first files run code that is not compiled yet.
    await measureProcessorTime({ ...setting, files: 400 }, 8);
    printProcessorTimes('a second at rest', await measureIdleTime(setting));
    for (const sessions of [1, 8]) {
      printProcessorTimes(`4 KiB file, ${sessions} session(s)`, await measureProcessorTime(setting, sessions));
    }
  },
  latencies: async (setting: BenchSetting) => {
    await using openssh = await startOpensshServer(await inFolder('openssh'), { publicKey, identityFile });
    const login = loginOf(setting, benchUsers.unheard);
    const ours = freshFolder();
    await makeFolders(login, [ours, `${ours}/warm`]);
    await measureLatencies(login, `${ours}/warm`, 50);
    const measured = await measureLatencies(login, ours, operations);
    const theirs = { ...login, port: openssh.port, user: openssh.user };
    printLatencies(measured, await measureLatencies(theirs, openssh.folder, operations));
  },
  floor: async (setting: BenchSetting) => printFloor(await measureFloor(setting, await inFolder('floor'), operations)),
  'job-start': async (setting: BenchSetting) =>
    printDelay('upload to the start of its job', await measureJobStart(setting, uploads)),
  'job-start-rate': async (setting: BenchSetting) => {
    const rate = { uploads: 1_000, perSecond: 50 };
    const measured = await measureJobStartAtRate(setting, rate);
    printDelay(`upload to the start of its job, ${rate.perSecond} uploads/s`, measured);
    printGoal('p50 at most 25 ms, p95 at most 100 ms', measured.p50 <= 25 && measured.p95 <= 100);
  },
  visibility: async (setting: BenchSetting) =>
    printDelay('upload to its audit record', await measureAuditVisibility(setting, uploads)),
  sshfs: async (setting: BenchSetting) => {
    await using openssh = await startOpensshServer(await inFolder('openssh-sshfs'), { publicKey, identityFile });
    const packed = await packTree(await inFolder('packed'));
    const ours = freshFolder();
    await makeFolders(loginOf(setting, benchUsers.unheard), [ours]);
    const { sftpPort } = setting.platform;
    const servers = [
      { port: sftpPort, user: benchUsers.unheard, identityFile, folder: ours },
      { ...openssh, identityFile },
    ];
    const times = [];
    for (const [index, server] of servers.entries()) {
      times.push(await measurePrograms(server, { packed, mounted: await inFolder(`mounted-${index}`) }));
    }
    printPrograms(...times);
  },
} as const;

const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const parts = Object.entries(measurements).filter(([name]) => isWanted(name));
if (parts.length > 0) {
  await using platform = await startBenchPlatform(await inFolder('platform'), key);
  for (const [, measure] of parts) await measure({ platform, privateKey: key.privateKey, files });
}
if (isWanted('memory')) {
  const run = { uploads: 1_500, seconds: Number(values.seconds) };
  printWaitingMemory(await measureWaitingMemory(await inFolder('waiting'), key, run));
}
