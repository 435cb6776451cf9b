import { randomBytes, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { smallFileBytes } from './write-small-files.ts';

/** What the program is to store; the database has a table `floor` with a column `id`. */
export interface FloorWork {
  readonly databaseUrl: string;
  /** It is made, and removed. */
  readonly folder: string;
  readonly files: number;
  readonly atATime: number;
}

/** A process that stores small files by itself and prints the seconds that it took. Argument: the work in JSON. */
const { databaseUrl, folder, files, atATime } = JSON.parse(process.argv[2] ?? '') as FloorWork;
const db = connectPostgres({ url: databaseUrl, applicationName: 'bench floor' });
const insertRow = prepareStatement('floor', 'INSERT INTO floor (id) VALUES (CAST(:id AS uuid))');
await mkdir(folder);
const folderHandle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
const content = randomBytes(smallFileBytes);

const store = async (): Promise<void> => {
  const id = randomUUID();
  const file = await open(join(folder, id), 'wx');
  await file.write(content);
  await Promise.all([file.sync(), folderHandle.sync()]);
  await file.close();
  await runPrepared(db, insertRow, { id });
};
let begun = 0;
const worker = async (): Promise<void> => {
  for (; begun < files;) {
    begun += 1;
    await store();
  }
};
// Connections are made and code is compiled before the clock runs.
await Promise.all(Array.from({ length: atATime }, store));
const startedAt = performance.now();
await Promise.all(Array.from({ length: atATime }, worker));
console.log((performance.now() - startedAt) / 1_000);
await folderHandle.close();
await rm(folder, { recursive: true });
await db.destroy();
