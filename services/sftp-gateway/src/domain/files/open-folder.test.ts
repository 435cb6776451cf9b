import type { Permission } from '@waybill/contracts/values/permission';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath, rootPath } from '@waybill/contracts/values/virtual-path';
import { createMounts } from '@waybill/directory/access/mounts';
import type { EntryOrUpload } from '@waybill/filebox/model/entry';
import type { EntryScan } from '@waybill/filebox/model/entry-query';
import { expect, it } from 'vitest';
import { openFolder, type FolderReader } from './open-folder.ts';

const names = 1_000_000;
const nameOf = (index: number): string => `file-${String(index).padStart(8, '0')}`;

/** A million files, and the rules given; `asked` are the parts that were read of them. */
const acme = userNameSchema.parse('acme');

function createReader(rules: Readonly<Record<string, readonly Permission[]>>) {
  const asked: EntryScan[] = [];
  const vfs = { id: 'vfs', name: 'files', aclEnabled: true };
  const acl = Object.entries(rules).map(([path, permissions]) => ({
    path: parseVirtualPath(path),
    grants: [{ user: 'acme', permissions }],
  }));
  const access = createMounts({ name: 'acme', groups: [] }, [
    { vfs, mountPath: rootPath, connectionContract: 'contract', acl },
  ]);
  const reader: FolderReader = {
    userName: acme,
    door: { showsUploadsOf: acme, checksInOrder: false, shownBy: [] },
    access: () => Promise.resolve(access),
    enterFolder: () => Promise.resolve(),
    store: {
      find: () => Promise.resolve(undefined),
      scan: (_vfsId, folder, scan) => {
        asked.push(scan);
        const first = scan.afterName === undefined ? 0 : Number(scan.afterName.slice('file-'.length)) + 1;
        const count = Math.min(scan.limit, names - first);
        const at = new Date(0);
        return Promise.resolve(
          Array.from({ length: count }, (_, index): EntryOrUpload => {
            const name = nameOf(first + index);
            const path = parseVirtualPath(`${folder}${name}`);
            return { kind: 'folder', id: name, vfsId: 'vfs', path, name, owner: '', createdAt: at, modifiedAt: at };
          }),
        );
      },
    },
  };
  return { reader, asked };
}

it('a folder of a million is never more than one page ahead of who reads it', async () => {
  const { reader, asked } = createReader({ '/': ['list'] });
  const listing = await openFolder(reader, rootPath);
  expect(asked).toHaveLength(1);
  let seen = 0;
  let pages = 0;
  for (let page = await listing.nextPage(); page.length > 0; page = await listing.nextPage()) {
    pages += 1;
    expect(asked.length).toBeLessThanOrEqual(pages + 1);
    expect(page[0]?.name).toBe(nameOf(seen));
    seen += page.length;
  }
  expect(seen).toBe(names);
  expect(Math.max(...asked.map(({ limit }) => limit))).toBe(400);
});

it('pages without a name to show are passed over, and none of them is an end', async () => {
  const hidden = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`/${nameOf(index)}`, []]));
  const { reader } = createReader({ '/': ['list'], ...hidden });
  const listing = await openFolder(reader, rootPath);
  expect((await listing.nextPage())[0]?.name).toBe(nameOf(900));
});
