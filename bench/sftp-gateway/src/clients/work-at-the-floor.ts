import { randomBytes, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { smallFileBytes } from '../files/bench-files.ts';
import type { Direction } from '../servers/bench-setting.ts';

/** The work of the program; the database has a table `floor` with the columns `id` and `content`. */
export interface FloorWork {
  readonly direction: Direction;
  /** Where a put stores the bytes: in a separate file, or in the committed row. */
  readonly keepsIn: 'file' | 'row';
  readonly databaseUrl: string;
  /** It is created, and removed. */
  readonly folder: string;
  readonly files: number;
  readonly atATime: number;
}

/** The output of the program, in JSON. */
export interface FloorFigures {
  readonly seconds: number;
  /** Processor time of this process only. */
  readonly processorSeconds: number;
}

/**
 * A process that stores or reads small files without a server, and commits a row for each. Argument: the work in JSON.
 */
const { direction, keepsIn, databaseUrl, folder, files, atATime } = JSON.parse(process.argv[2] ?? '') as FloorWork;
const db = connectPostgres({ url: databaseUrl, applicationName: 'bench floor' });
const insertRow = prepareStatement(
  'floor',
  'INSERT INTO floor (id, content) VALUES (CAST(:id AS uuid), CAST(:content AS bytea))',
);
await mkdir(folder);
const folderHandle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
const content = randomBytes(smallFileBytes);
const stored = join(folder, 'stored');
await writeFile(stored, content);

const store = async (id: string): Promise<void> => {
  const file = await open(join(folder, id), 'wx');
  await file.write(content);
  await Promise.all([file.sync(), folderHandle.sync()]);
  await file.close();
};
const work = async (): Promise<void> => {
  const id = randomUUID();
  const isInRow = direction === 'put' && keepsIn === 'row';
  if (!isInRow) await (direction === 'put' ? store(id) : readFile(stored));
  await runPrepared(db, insertRow, { id, content: isInRow ? content : null });
};
let begun = 0;
const worker = async (): Promise<void> => {
  for (; begun < files;) {
    begun += 1;
    await work();
  }
};
// Connections are opened and code is compiled before the measurement.
await Promise.all(Array.from({ length: atATime }, work));
const [startedAt, usedBefore] = [performance.now(), process.cpuUsage()];
await Promise.all(Array.from({ length: atATime }, worker));
const { user, system } = process.cpuUsage(usedBefore);
const figures: FloorFigures = {
  seconds: (performance.now() - startedAt) / 1_000,
  processorSeconds: (user + system) / 1_000_000,
};
console.log(JSON.stringify(figures));
await folderHandle.close();
await rm(folder, { recursive: true });
await db.destroy();
