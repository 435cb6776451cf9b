import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { waitFor } from '@waybill/test-kit/wait-for';
import type { SFTPWrapper } from 'ssh2';
import type { PlatformProcess } from '../platform-process.ts';
import { passwordOf, preparer } from './platform-configuration.ts';
import { beginFile, connectSftp, makeFolder, storeFile } from './sftp-door.ts';
import { pathIn, testUsers, type Situation } from './situations.ts';

/** Makes, for every user, what each operation finds; `tags` are those of the operations. */
export async function prepareSituations(platform: PlatformProcess, tags: readonly string[]): Promise<void> {
  const users = testUsers.map(({ name }) => name);
  const workers = Array.from({ length: 3 }, async () => {
    for (let name = users.shift(); name !== undefined; name = users.shift()) await prepareFor(platform, name, tags);
  });
  await Promise.all(workers);
  const db = connectPostgres({ url: platform.databaseUrl, applicationName: 'test', poolSize: 1 });
  try {
    await giveAway(db);
  } finally {
    await db.destroy();
  }
}

async function prepareFor(platform: PlatformProcess, name: string, tags: readonly string[]): Promise<void> {
  const login = { port: platform.sftpPort, user: preparer, password: passwordOf(preparer) };
  // What is open when the session ends is kept as an unfinished upload.
  await using connection = await connectSftp(login);
  const { sftp } = connection;
  const path = (shown: string) => shown.replace('/vfs/', `/${name}/`);
  await Promise.all([
    storeFile(sftp, path('/vfs/place/file-above')),
    storeFile(sftp, path('/vfs/place/hidden-file')),
    makeFolder(sftp, path('/vfs/place/hidden-folder')),
    ...tags.map((tag) => prepareTag(sftp, (situation) => path(pathIn(situation, tag)))),
  ]);
}

async function prepareTag(sftp: SFTPWrapper, path: (situation: Situation) => string) {
  await storeFile(sftp, path('own file'));
  await storeFile(sftp, path('file of another'));
  await makeFolder(sftp, path('empty folder'));
  await makeFolder(sftp, path('full folder'));
  await storeFile(sftp, `${path('full folder')}/file`);
  await beginFile(sftp, path('unfinished upload'));
}

/** Makes the files and uploads that are to be the user's own so. */
async function giveAway(db: Database): Promise<void> {
  await waitFor(
    async () => {
      const { rows } = await db.raw<{ rows: unknown[] }>('SELECT FROM filebox.uploads WHERE lease_until > now()');
      return rows.length === 0;
    },
    { what: 'the uploads to be interrupted', timeoutMs: 60_000 },
  );
  await db.raw(`UPDATE filebox.entries e SET owner = v.name FROM directory.virtual_file_systems v
    WHERE CAST(v.id AS text) = e.vfs_id AND e.name LIKE 'own-file.%'`);
  await db.raw(`UPDATE filebox.uploads u SET user_name = v.name
    FROM filebox.entries e JOIN directory.virtual_file_systems v ON CAST(v.id AS text) = e.vfs_id WHERE e.id = u.parent_id`);
}
