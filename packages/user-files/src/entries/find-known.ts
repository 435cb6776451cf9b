import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { EntryOrUpload } from '@waybill/filebox/model/entry';
import { mayAskFor } from '../permissions/disclosure.ts';
import type { FileUser } from '../permissions/file-user.ts';
import { findAt } from '../permissions/what-is-there.ts';

/**
 * What is at a path for the user. A file of somebody else does not exist for users who may not ask for it. Their own
 * do: many clients look at what they have just sent.
 */
export async function findKnown(
  user: Pick<FileUser, 'store' | 'door' | 'userName' | 'access'>,
  path: VirtualPath,
): Promise<EntryOrUpload | undefined> {
  const access = await user.access();
  const found = await findAt(user, access, path);
  if (found?.kind !== 'file' || found.owner === user.userName) return found;
  return mayAskFor(user, access, path) ? found : undefined;
}
