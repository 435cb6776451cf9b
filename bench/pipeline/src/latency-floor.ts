import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { quantile } from '@waybill/bench-filebox/quantile';
import { startBareServer } from '@waybill/bench-sftp-gateway/servers/start-bare-server';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { createFilebox } from '@waybill/filebox/create-filebox';
import type { Origin } from '@waybill/filebox/model/origin';
import type { Upload } from '@waybill/filebox/model/upload';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { smallContent, type BenchSetting } from './bench-setting.ts';
import { measureLatencies } from './latencies.ts';

/** The minimal duration of one kind of operation, in milliseconds. */
export interface Floor {
  readonly what: string;
  readonly p50: number;
  /**
   * Processor time of this process and of PostgreSQL, for one operation. For requests: the server's time for one
   * operation, the mean of all kinds.
   */
  readonly processor: { readonly here: number; readonly postgres: number };
}

const origin: Origin = {
  userName: userNameSchema.parse('bench'),
  actorName: 'bench',
  clusterName: 'cluster1',
  peerName: 'bench',
  serverName: 'sftp-server',
  protocol: 'SFTP',
};
const vfsId = 'floor';

/**
 * The duration of the parts of a small operation, each alone: the requests to an SFTP server that responds immediately;
 * the file index and the disk without a client, for a separate VFS on the platform's PostgreSQL; and the commit of a
 * row, the sync of a file.
 */
export async function measureFloor(setting: BenchSetting, folder: string, operations: number): Promise<Floor[]> {
  return [
    ...(await floorOfRequests(setting.privateKey, folder, operations)),
    ...(await floorOfIndex(setting, folder, operations)),
  ];
}

async function floorOfRequests(privateKey: Buffer, folder: string, operations: number): Promise<Floor[]> {
  await using bare = await startBareServer(join(folder, 'bare'));
  const login = { port: bare.port, user: bare.user, privateKey };
  await measureLatencies(login, '', operations);
  const before = await bare.processorSeconds();
  const measured = await measureLatencies(login, '', operations);
  const here = (((await bare.processorSeconds()) - before) * 1_000) / operations / measured.length;
  return measured.map(({ operation, p50 }) => ({
    what: `requests: ${operation}`,
    p50,
    processor: { here, postgres: 0 },
  }));
}

async function floorOfIndex({ platform }: BenchSetting, folder: string, operations: number): Promise<Floor[]> {
  const { db } = platform;
  await using filebox = await createFilebox({
    db,
    blobDir: join(folder, 'blobs'),
    managerName: 'manager1',
    logger: createLogger({ service: 'bench', level: 'silent' }),
    metrics: createMetrics('bench'),
  });
  await db.raw('CREATE TABLE IF NOT EXISTS public.bench_floor (id uuid PRIMARY KEY)');
  const at = (path: string) => parseVirtualPath(`/${path}`);
  const upload = (index: number) =>
    filebox.beginUpload(vfsId, at(`f/${index}`), { origin, overwrite: true, resumable: true });
  const begun: Upload[] = [];
  const steps: Readonly<Record<string, (index: number) => Promise<unknown>>> = {
    'a row and its commit': () => runPrepared(db, insertRow, { id: randomUUID() }),
    'a file of 4 KiB and its folder, synced': (index) => storeFile(folder, `file-${index}`),
    'index and disk: begin an upload': async (index) => begun.push(await upload(index)),
    'index and disk: 4 KiB and its delivery': async (index) => {
      await begun[index]?.write(smallContent, 0);
      await begun[index]?.commit();
    },
    'index: rename': (index) =>
      filebox.rename(vfsId, at(`f/${index}`), at(`f/${index}.r`), { origin, overwrite: false, open: [] }),
    'index: remove': (index) => filebox.deleteFile(vfsId, at(`f/${index}.r`), { origin, open: [] }),
    'index: mkdir': (index) => filebox.createFolder(vfsId, at(`f/d${index}`), { origin }),
  };
  await filebox.ensureFolders(vfsId, [at('f')]);
  const floors: Floor[] = [];
  for (const [what, step] of Object.entries(steps)) {
    const [used, postgres] = [process.cpuUsage(), await platform.processorSeconds('postgres')];
    const took: number[] = [];
    for (let index = 0; index < operations; index += 1) {
      const startedAt = performance.now();
      await step(index);
      took.push(performance.now() - startedAt);
    }
    const { user, system } = process.cpuUsage(used);
    const ofPostgres = (await platform.processorSeconds('postgres')) - postgres;
    const processor = { here: (user + system) / 1_000 / operations, postgres: (ofPostgres * 1_000) / operations };
    floors.push({ what, p50: quantile(took, 0.5), processor });
  }
  return floors;
}

const insertRow = prepareStatement(
  'bench floor',
  'INSERT INTO public.bench_floor (id) VALUES (CAST(:id AS uuid)) RETURNING id',
);

/** Like the store of a blob, without the rename. */
async function storeFile(folder: string, name: string): Promise<void> {
  await using folderHandle = await open(folder);
  await using file = await open(join(folder, name), 'wx');
  await file.write(smallContent);
  await Promise.all([file.sync(), folderHandle.sync()]);
}
