import { flushCompileCache } from 'node:module';
import type { StorageClass } from '@waybill/contracts/configuration/storage-class';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { transactionStep } from '../src/blobs/upload-step.ts';
import { createFilebox } from '../src/create-filebox.ts';
import type { Origin } from '../src/model/origin.ts';

interface Request {
  vfsId: string;
  path: string;
  content: string;
  times?: number;
  origin: Origin;
  crashAt: string;
  /** A file to copy, instead of the content. */
  copyOf?: string;
  /** An upload by id that is resumed at its end. */
  staged?: { blobId: string; size: number };
  /** The class of the file; default: `local`. */
  storageClass?: StorageClass;
}

/**
 * A process that uploads a file and kills itself with SIGKILL at a step of it. Arguments: database URL, blob folder,
 * origin and upload in JSON.
 */
const [databaseUrl = '', blobDir = '', json = ''] = process.argv.slice(2);
const request = JSON.parse(json) as Request;
const { vfsId, path, content, times = 1, origin, crashAt, copyOf, storageClass, staged } = request;

// A process that is killed does not write it at its end.
flushCompileCache();

const filebox = await createFilebox({
  db: connectPostgres({ url: databaseUrl, applicationName: 'crashing upload' }),
  blobDir,
  ...(storageClass && {
    storageClasses: { storageClassOf: async () => storageClass.name, listStorageClasses: async () => [storageClass] },
  }),
  managerName: 'manager1',
  logger: createLogger({ service: 'crashing-upload', level: 'silent' }),
  metrics: createMetrics('crashing-upload'),
  observe: async (step) => {
    if (step !== crashAt) return;
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  },
});
const options = { origin, overwrite: true };
const place = { vfsId, path: parseVirtualPath(path), keptUntil: new Date(Date.now() + 3_600_000) };
const upload = staged
  ? await filebox.uploadsById.resume(staged.blobId, { ...place, ...options })
  : await filebox.beginUpload(vfsId, parseVirtualPath(path), options);
if (copyOf === undefined) {
  await upload.write(Buffer.from(content.repeat(times)), staged?.size ?? 0);
} else {
  await using download = await filebox.openDownload(vfsId, parseVirtualPath(copyOf), { origin });
  await upload.copyFrom(download);
}
if (crashAt === 'written') process.kill(process.pid, 'SIGKILL');
// Without it a commit is a single statement, of which no partial state is visible.
await upload.commit(crashAt === transactionStep ? { within: async () => {} } : {});
await filebox[Symbol.asyncDispose]();
