import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openDirectory } from '@waybill/directory/open-directory';
import { ensureFolders } from '@waybill/filebox/entries/ensure-folders';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { type TreeHashes, writeTree } from './local-files.ts';
import type { PartnerServer } from './partner-server.ts';

/** What all clients meet on the server, made once. */
export interface Fixture {
  /** 1 000 small files in 50 folders on this machine, and the same on the server. */
  readonly localTree: string;
  readonly remoteTree: string;
  readonly tree: TreeHashes;
  /** A folder of the server with many entries. */
  readonly largeFolder: string;
  readonly largeFolderNames: readonly string[];
}

const treeShape = { folders: 50, filesEach: 20 };
const largeFolder = '/inbox/large';
const largeFolderNames = Array.from({ length: 10_000 }, (_, index) => `entry ${index} of many`);

/** Makes it: the tree with the OpenSSH client, the large folder as the configuration would. */
export async function makeFixture(server: PartnerServer): Promise<Fixture> {
  await makeLargeFolder(server);
  const localTree = join(await server.newFolder(), 'tree');
  await mkdir(localTree);
  const tree = await writeTree(localTree, treeShape);
  const { port, user } = server.login('key');
  const { exitCode, stderr } = await runSftp({
    port,
    user,
    identityFile: server.platform.acmeKeyFile,
    commands: [`put -r ${localTree} /inbox/`],
    timeoutMs: 400_000,
  });
  if (exitCode !== 0) throw new Error(`sftp ended with ${exitCode}: ${stderr}`);
  return { localTree, remoteTree: '/inbox/tree', tree, largeFolder, largeFolderNames };
}

/** Within one transaction: 10 000 of them would take minutes. */
async function makeLargeFolder({ platform }: PartnerServer): Promise<void> {
  const db = connectPostgres({ url: platform.databaseUrl, applicationName: 'test', poolSize: 2 });
  try {
    const vfs = await openDirectory({ db }).findVfsByName('acme-files');
    if (vfs === undefined) throw new Error('acme has no files');
    const paths = largeFolderNames.map((name) => parseVirtualPath(`${largeFolder}/${name}`));
    await db.transaction((transaction) => ensureFolders(transaction, vfs.id, paths));
  } finally {
    await db.destroy();
  }
}
