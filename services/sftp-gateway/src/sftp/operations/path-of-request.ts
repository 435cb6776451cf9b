import { resolveVirtualPath, rootPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';

/** SFTP has no current folder: a relative path is meant from the user's home, which is the root. @throws CodedError `path_invalid` */
export function pathOfRequest(bytes: Buffer): VirtualPath {
  return resolveVirtualPath(rootPath, bytes);
}
