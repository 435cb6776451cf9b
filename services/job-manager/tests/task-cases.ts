import { gzipSync } from 'node:zlib';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { makeZip } from './made-archives.ts';
import type { TestPlatform } from './start-test-platform.ts';
import type { WorkerRig } from './worker-rig.ts';

/** Tasks that change files of the platform, each as the one step of a workflow that works in the folder `at`. */
export const at = '/inbox/${{ variables.at }}';
const source = `${at}/a.txt`;
const across = `globex-files:${at}`;

/** By the name of the action. `uses` is the name of the action without what follows the first blank. */
export const fileTaskCases: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  copy: { source, target: `${at}/b.txt` },
  move: { source, target: `${at}/b.txt` },
  'move into another VFS': { source, target: `${across}/a.txt` },
  rename: { path: source, name: 'b.txt' },
  delete: { path: source },
  'delete a folder': { path: `${at}/full`, recursive: true },
  'make-folder': { path: `${at}/new` },
  deliver: { source, folder: across, receipt: `${at}/receipt.json` },
  'set-metadata': { path: source, metadata: { state: 'done' } },
  'write-file': { path: `${at}/written.txt`, text: 'text' },
  checksum: { source, writeTo: `${at}/a.txt.sha256` },
  merge: { sources: [source, source], target: `${at}/merged.txt` },
  'split-lines': { source, folder: at, linesPerFile: 1_000 },
  'line-ends': { source, target: `${at}/crlf.txt`, to: 'crlf' },
  'convert-charset': { source, target: `${at}/utf8.txt`, from: 'iso-8859-1' },
  gzip: { source, target: `${at}/a.txt.gz` },
  gunzip: { source: `${at}/b.gz`, target: `${at}/b` },
  zip: { sources: [source], target: `${at}/a.zip` },
  unzip: { source: `${at}/b.zip`, folder: at },
  tar: { sources: [source], target: `${at}/a.tar` },
  'pgp-encrypt': { source, target: `${at}/a.pgp`, recipients: ['own'] },
};

/** Their workflows. */
export const fileTaskWorkflows = Object.fromEntries(
  Object.entries(fileTaskCases).map(([name, parameters]) => {
    const [uses = ''] = name.split(' ');
    return [name, { steps: [{ name: 'only', uses, with: parameters, retry: { attempts: 3, delaySeconds: 0 } }] }];
  }),
);

/** What actions need to work in both VFS, and the partner who has the other one. */
export const bothPlaces = {
  grants: [{ vfs: 'globex-files', path: '/inbox', rights: ['list', 'download', 'upload', 'delete'] }],
  actors: [{ name: 'globex', type: 'Partner', virtualFileSystems: [{ name: 'globex-files', folders: ['/inbox'] }] }],
};

/** A folder of its own for a case in each VFS, and the files that the tasks read. Returns the name of the folder. */
export async function prepareCase(platform: TestPlatform, globexId: string, name: string): Promise<string> {
  const folder = `/inbox/${name}`;
  const folders = ['/inbox', folder];
  await platform.filebox.ensureFolders(platform.vfsId, [...folders, `${folder}/full`].map(parseVirtualPath));
  await platform.filebox.ensureFolders(globexId, folders.map(parseVirtualPath));
  const lines = Buffer.from(Array.from({ length: 5_000 }, (_, line) => `line ${line}\n`).join(''));
  await platform.deliver(`${folder}/a.txt`, lines);
  await platform.deliver(`${folder}/b.gz`, gzipSync(lines));
  await platform.deliver(
    `${folder}/b.zip`,
    makeZip([
      { name: 'x.txt', data: lines },
      { name: 'y.txt', data: lines },
    ]),
  );
  await platform.deliver(`${folder}/full/inner.txt`, lines);
  return name;
}

/** What is in the folders of a case, and which audited events concern them: the same, whatever happened to its worker. */
export async function stateOf({ query }: Pick<WorkerRig, 'query'>, name: string): Promise<unknown> {
  const entries = await query(
    `WITH RECURSIVE tree AS (
       SELECT id, vfs_id, kind, '' COLLATE "C" AS path, size, metadata FROM filebox.entries WHERE name = $1
       UNION ALL
       SELECT e.id, e.vfs_id, e.kind, tree.path || '/' || e.name, e.size, e.metadata
       FROM filebox.entries e JOIN tree ON e.parent_id = tree.id)
     SELECT kind, path, metadata ->> 'state' AS state, size IS NULL OR size > 0 AS sound
     FROM tree ORDER BY vfs_id, path`,
    name,
  );
  const events = await query(
    `SELECT payload ->> 'auditCode' AS code, count(*)::int AS count FROM outbox.events
     WHERE topic = 'audit-event' AND payload ->> 'auditMessage' LIKE $1 GROUP BY 1 ORDER BY 1`,
    `%/${name}/%`,
  );
  const fileEvents = await query(
    `SELECT count(*)::int AS count FROM outbox.events WHERE topic = 'file-event' AND payload ->> 'path' LIKE $1`,
    `%/${name}/%`,
  );
  return { entries, events, fileEvents };
}
