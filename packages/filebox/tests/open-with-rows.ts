import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openTestFilebox, vfsId } from './open-test-filebox.ts';

const inbox = parseVirtualPath('/inbox');

/** A filebox whose folder `/inbox` has files of these names, as rows without uploads: a listing reads nothing else. */
export async function openWithRows(names: readonly string[]) {
  const box = await openTestFilebox();
  await box.filebox.ensureFolders(vfsId, [inbox]);
  const folder = await box.filebox.find(vfsId, inbox);
  for (const [index, name] of names.entries()) {
    await box.db.raw(
      `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner, storage_class, blob_id, size, sha256, media_type,
         put_at, first_read_at, expires_at, metadata, system_metadata, dfic)
       SELECT :vfsId, :folderId, 'file', :name, 'acme', 'local', gen_random_uuid(), :size, sha256(''), 'text/plain',
         to_timestamp(:put), to_timestamp(CAST(:read AS double precision)), to_timestamp(CAST(:expiry AS double precision)),
         '{}', '{}', '{"dfiid":"d","lcid":"l:0","userAttrs":{}}'`,
      {
        vfsId,
        folderId: folder?.kind === 'folder' ? folder.id : '',
        name: name.normalize('NFC'),
        size: (index * 7) % 3,
        put: 1e9 + ((index * 5) % 4),
        read: index % 3 === 0 ? null : 1e9 + (index % 2),
        expiry: index % 4 === 0 ? null : 2e9 + (index % 3),
      },
    );
  }
  return box;
}
