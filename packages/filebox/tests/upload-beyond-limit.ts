import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { createFilebox } from '../src/create-filebox.ts';

/**
 * A process that uploads more than its files may hold, and prints the result. Arguments like those of
 * `crashing-upload`.
 */
const [databaseUrl = '', blobDir = '', json = ''] = process.argv.slice(2);
const { vfsId, path, origin, chunkBytes, chunks } = JSON.parse(json);
// Without a listener the signal of the refused write would end the process.
process.on('SIGXFSZ', () => {});

const db = connectPostgres({ url: databaseUrl, applicationName: 'upload beyond limit' });
const filebox = await createFilebox({
  db,
  blobDir,
  managerName: 'manager1',
  logger: createLogger({ service: 'upload-beyond-limit', level: 'silent' }),
  metrics: createMetrics('upload-beyond-limit'),
});
const told: string[] = [];
const tell = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => void told.push('done'),
    (error: unknown) => void told.push(error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );
const upload = await filebox.beginUpload(vfsId, parseVirtualPath(path), { origin, overwrite: true, resumable: true });
for (let index = 0; index < chunks; index += 1) await tell(upload.write(Buffer.alloc(chunkBytes), index * chunkBytes));
await tell(upload.commit());
await upload[Symbol.asyncDispose]();
await filebox[Symbol.asyncDispose]();
await db.destroy();
process.stdout.write(JSON.stringify(told));
