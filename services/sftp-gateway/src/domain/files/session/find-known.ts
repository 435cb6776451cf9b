import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Location } from '@waybill/directory/access/mounts';
import type { EntryOrUpload } from '@waybill/filebox/model/entry';
import type { FileSession } from './file-session.ts';
import { mayAskFor } from './require-permission.ts';

/**
 * What there is at a path for the user: a file that he may neither list nor take nor do away with is none for him, unless
 * he has stored it himself; many clients look at what they have just sent.
 */
export async function findKnown(
  session: Pick<FileSession, 'store' | 'userName' | 'access'>,
  path: VirtualPath,
  location: Location,
): Promise<EntryOrUpload | undefined> {
  const { store, userName } = session;
  const found = await store.find(location.vfs.id, location.path, { includeUploadOf: userName });
  if (found?.kind !== 'file' || found.owner === userName) return found;
  return mayAskFor(await session.access(), path) ? found : undefined;
}
