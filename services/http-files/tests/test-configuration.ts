import { accessSchema } from '@waybill/access/access-schema';
import type { StorageClass } from '@waybill/contracts/configuration/storage-class';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { applyConfiguration } from '@waybill/directory/apply-configuration';
import { directorySchema } from '@waybill/directory/directory-schema';
import { openDirectory } from '@waybill/directory/open-directory';
import { parseConfiguration } from '@waybill/directory/parse-configuration';
import { ensureFolders } from '@waybill/filebox/entries/ensure-folders';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import { listenTo, everySubject } from '@waybill/outbox/listen-to';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { migrateWithRoles } from '@waybill/postgres/roles/migrate-with-roles';
import { secretsSchema } from '@waybill/secrets/secrets-schema';
import { testRoles } from '@waybill/test-kit/test-roles';
import { httpFilesSchema } from '../src/http-files-schema.ts';

const everything = ['list', 'download', 'upload', 'delete', 'rename', 'createFolder'];

const folders: Readonly<Record<string, readonly string[]>> = {
  'acme-files': ['/inbox/sub', '/inbox/sub/kept/closed', '/outbox', '/drop', '/private/secret', '/private/blind'],
  'globex-files': ['/data'],
  'hooli-files': ['/reports', '/shared'],
};

const contractOf = (user: string, clauses: readonly object[]) => ({
  name: `${user}-http`,
  cluster: 'cluster1',
  server: 'http-server',
  clauses,
});

const actorOf = (name: string, parts: { vfs?: object; clauses?: readonly object[] } = {}) => ({
  name,
  type: 'Partner',
  users: [{ name, password: `${name}-demo` }],
  virtualFileSystems: [{ name: `${name}-files`, ...parts.vfs }],
  connectionContracts: parts.clauses === undefined ? [] : [contractOf(name, parts.clauses)],
});

/**
 * `acme` has ACLs, `globex` none, `initech` no Connection Contract, `reader` no permission to write; `hooli` sees its files under `/own` and those of a
 * second file system under `/own/shared`, which hides a folder of that name.
 */
const configuration = {
  manager: { name: 'manager1' },
  managerUsers: [{ name: 'admin', password: 'admin-demo', roles: ['Administrators'] }],
  clusters: [{ name: 'cluster1', servers: [{ name: 'http-server', protocol: 'HTTP' }] }],
  actors: [
    actorOf('acme', {
      vfs: {
        acl: [
          { path: '/', grants: [{ user: 'acme', permissions: ['list'] }] },
          { path: '/inbox', grants: [{ user: 'acme', permissions: everything }] },
          { path: '/outbox', grants: [{ user: 'acme', permissions: ['list', 'download'] }] },
          { path: '/drop', grants: [{ user: 'acme', permissions: ['upload'] }] },
          { path: '/inbox/sub/kept/closed', grants: [{ user: 'acme', permissions: ['list'] }] },
          { path: '/inbox/ruled', grants: [{ user: 'acme', permissions: ['list', 'rename'] }] },
          { path: '/private/blind', grants: [{ user: 'acme', permissions: ['upload', 'rename'] }] },
          { path: '/private', grants: [{ user: 'acme', permissions: [] }] },
          { path: '/sealed.txt', grants: [{ user: 'acme', permissions: [] }] },
          { path: '/ghost', grants: [{ user: 'acme', permissions: [] }] },
        ],
      },
      clauses: [{ user: 'acme', vfs: 'acme-files' }],
    }),
    actorOf('globex', { clauses: [{ user: 'globex', vfs: 'globex-files' }] }),
    actorOf('initech'),
    actorOf('reader', {
      vfs: { acl: [{ path: '/', grants: [{ user: 'reader', permissions: ['list', 'download'] }] }] },
      clauses: [{ user: 'reader', vfs: 'reader-files' }],
    }),
    {
      ...actorOf('hooli', {
        clauses: [
          { user: 'hooli', vfs: 'hooli-files', mountPath: '/own' },
          { user: 'hooli', vfs: 'hooli-shared', mountPath: '/own/shared' },
        ],
      }),
      virtualFileSystems: [{ name: 'hooli-files' }, { name: 'hooli-shared' }],
    },
  ],
};

/** Creates the schemas in an empty database. */
export async function prepareSchemas(url: string): Promise<void> {
  const db = connectPostgres({ url, applicationName: 'test', poolSize: 2 });
  await migrateWithRoles(
    db,
    [accessSchema, outboxSchema, directorySchema, fileboxSchema, secretsSchema, httpFilesSchema],
    testRoles,
  );
  await db.destroy();
}

/** Deletes the user `globex` of the actor `globex`, and creates a user of that name and password for `acme`. */
export async function giveNameAway(db: Database): Promise<void> {
  const actors = configuration.actors.filter(({ name }) => name !== 'globex');
  const former = { ...actorOf('globex'), users: [] };
  await apply(db, { ...configuration, actors: [...actors, former] });
  const [acme, ...others] = actors;
  const newcomer = {
    ...acme,
    users: [...(acme?.users ?? []), { name: 'globex', password: 'newcomer-demo' }],
    virtualFileSystems: [...(acme?.virtualFileSystems ?? []), { name: 'newcomer-files', folders: ['/data'] }],
    connectionContracts: [
      ...(acme?.connectionContracts ?? []),
      { ...contractOf('newcomer', [{ user: 'globex', vfs: 'newcomer-files' }]) },
    ],
  };
  await apply(db, { ...configuration, actors: [newcomer, ...others, former] });
  const vfs = await openDirectory({ db }).findVfsByName('newcomer-files');
  if (vfs !== undefined) await ensureFolders(db, vfs.id, [parseVirtualPath('/data')]);
}

/** Deletes the user `globex`, and creates another one of that name for the same partner and the same files. */
export async function replaceGlobex(db: Database): Promise<void> {
  const others = configuration.actors.filter(({ name }) => name !== 'globex');
  const own = actorOf('globex', { clauses: [{ user: 'globex', vfs: 'globex-files' }] });
  await apply(db, { ...configuration, actors: [...others, { ...own, users: [], connectionContracts: [] }] });
  const users = [{ name: 'globex', password: 'newcomer-demo' }];
  await apply(db, { ...configuration, actors: [...others, { ...own, users }] });
}

async function apply(db: Database, wanted: object): Promise<void> {
  await applyConfiguration({
    db,
    configuration: parseConfiguration(wanted),
    by: { user: 'test', nodeId: 'test' },
    files: { countFiles: async () => new Map(), setLimits },
  });
}

/** Applies the configuration of the tests, with its folders; `storage` is the class of new files of globex. */
export async function configure(db: Database, storage?: StorageClass): Promise<void> {
  const wanted = storage ? { ...configuration, storageClasses: [storage], actors: actorsWith(storage) } : configuration;
  await apply(db, wanted);
  // The tests read file events, as if contracts listened to all of them.
  await db.transaction((trx) => listenTo(trx, 'test', [everySubject]));
  const directory = openDirectory({ db });
  for (const [vfsName, paths] of Object.entries(folders)) {
    const vfs = await directory.findVfsByName(vfsName);
    if (vfs === undefined) throw new Error(`${vfsName} is not there`);
    await ensureFolders(db, vfs.id, paths.map(parseVirtualPath));
  }
}

function actorsWith({ name: storageClass }: StorageClass) {
  const vfs = { storageClass };
  const globex = actorOf('globex', { vfs, clauses: [{ user: 'globex', vfs: 'globex-files' }] });
  return configuration.actors.map((actor) => (actor.name === 'globex' ? globex : actor));
}
