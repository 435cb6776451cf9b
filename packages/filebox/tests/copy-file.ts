import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Filebox } from '../src/filebox.ts';
import type { FileEntry } from '../src/model/entry.ts';
import { acme, vfsId } from './open-test-filebox.ts';

/** Copies a whole file to a path, whatever is there. */
export async function copyFile(filebox: Filebox, from: string, to: string): Promise<FileEntry> {
  await using download = await filebox.openDownload(vfsId, parseVirtualPath(from), { origin: acme });
  await using upload = await filebox.beginUpload(vfsId, parseVirtualPath(to), { origin: acme, overwrite: true });
  await upload.copyFrom(download);
  return await upload.commit();
}
