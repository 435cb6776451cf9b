import { join } from 'node:path';
import type { AuditEvent } from '@waybill/contracts/messages/audit-event';
import type { FileEvent } from '@waybill/contracts/messages/file-event';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { migrate } from '@waybill/postgres/migrate';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics, type Metrics } from '@waybill/service-kit/telemetry/metrics';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { onTestFinished } from 'vitest';
import { openLocalBlobStore } from '../src/blobs/local/local-blob-store.ts';
import type { CommitObserver } from '../src/blobs/upload-step.ts';
import { createFilebox } from '../src/create-filebox.ts';
import { fileboxSchema } from '../src/filebox-schema.ts';
import type { Filebox } from '../src/filebox.ts';
import type { FileEntry } from '../src/model/entry.ts';
import type { Origin } from '../src/model/origin.ts';
import type { StorageClasses } from '../src/model/storage.ts';
import type { UploadOptions } from '../src/model/upload.ts';

/** The VFS that tests use. */
export const vfsId = '0197a2c4-0000-7000-8000-000000000001';

/** The partner that tests upload as. */
export const acme: Origin = {
  userName: userNameSchema.parse('acme'),
  actorName: 'acme',
  clusterName: 'cluster1',
  peerName: 'peer1',
  serverName: 'sftp-server',
  protocol: 'SFTP',
  vfsName: 'acme-files',
  connectionContract: 'acme-sftp',
};

/** A filebox with a separate database and folder, and functions to inspect them. */
export interface TestFilebox {
  filebox: Filebox & AsyncDisposable;
  db: Database;
  databaseUrl: string;
  blobDir: string;
  /** Another process' view of the same files, as far as the filebox can tell. */
  openAnother(options?: {
    db?: Database;
    observe?: CommitObserver;
    metrics?: Metrics;
  }): Promise<Filebox & AsyncDisposable>;
  put(path: string, content: string, options?: Partial<UploadOptions>): Promise<FileEntry>;
  /** The content of a file; undefined if there is none. */
  get(path: string): Promise<string | undefined>;
  audits(): Promise<AuditEvent[]>;
  fileEvents(): Promise<FileEvent[]>;
  /** The ids of all blobs on disk, in order. */
  heldBlobs(): Promise<string[]>;
}

/** Opens one for a test, and closes it at the end of the test. */
export async function openTestFilebox(
  options: {
    observe?: CommitObserver;
    poolSize?: number;
    storageClasses?: StorageClasses;
    receiptTable?: string;
    temporaryNames?: readonly string[];
  } = {},
): Promise<TestFilebox> {
  const resources = new AsyncDisposableStack();
  onTestFinished(() => resources.disposeAsync());
  const database = resources.use(await createTestDatabase({ name: 'filebox', prepare: migrateAll }));
  const folder = resources.use(await createTestFolder());
  const poolSize = options.poolSize ?? 10;
  const db = connectPostgres({ url: database.url, applicationName: 'filebox test', poolSize });
  resources.defer(() => db.destroy());
  const blobDir = join(folder.path, 'blobs');
  const open = async (overrides: { db?: Database; observe?: CommitObserver; metrics?: Metrics } = {}) =>
    resources.use(
      await createFilebox({
        db,
        blobDir,
        ...(options.storageClasses && { storageClasses: options.storageClasses }),
        ...(options.receiptTable !== undefined && { receiptTable: options.receiptTable }),
        ...(options.temporaryNames && { temporaryNames: options.temporaryNames }),
        managerName: 'manager1',
        logger: createLogger({ service: 'filebox-test', level: 'silent' }),
        metrics: createMetrics('filebox-test'),
        ...overrides,
      }),
    );
  const filebox = await open(options.observe && { observe: options.observe });
  const payloads = async (topic: string) => {
    const rows = await database.query('SELECT payload FROM outbox.events WHERE topic = $1 ORDER BY created_at', [
      topic,
    ]);
    return rows.map(({ payload }) => payload);
  };
  return {
    filebox,
    db,
    databaseUrl: database.url,
    blobDir,
    openAnother: open,
    put: async (path, content, uploadOptions = {}) => {
      const wanted = { origin: acme, overwrite: true, ...uploadOptions };
      const upload = await filebox.beginUpload(vfsId, parseVirtualPath(path), wanted);
      await upload.write(Buffer.from(content), 0);
      return upload.commit();
    },
    get: (path) => contentAt(filebox, path),
    audits: async () => (await payloads('audit-event')) as AuditEvent[],
    fileEvents: async () => (await payloads('file-event')) as FileEvent[],
    heldBlobs: () => heldBlobs(blobDir),
  };
}

/** The content of the file at a path; undefined if there is none. */
export async function contentAt(filebox: Filebox, path: string): Promise<string | undefined> {
  const entry = await filebox.find(vfsId, parseVirtualPath(path));
  if (entry?.kind !== 'file') return undefined;
  await using download = await filebox.openDownload(vfsId, parseVirtualPath(path), { origin: acme });
  return (await download.read(0, download.entry.size)).toString();
}

async function heldBlobs(dir: string): Promise<string[]> {
  await using store = await openLocalBlobStore({ dir });
  const ids: string[] = [];
  for await (const { blobId } of store.list()) ids.push(blobId);
  return ids.toSorted();
}

async function migrateAll(url: string): Promise<void> {
  const db = connectPostgres({ url, applicationName: 'filebox test' });
  try {
    for (const schema of [outboxSchema, fileboxSchema]) await migrate(db, schema);
  } finally {
    await db.destroy();
  }
}
