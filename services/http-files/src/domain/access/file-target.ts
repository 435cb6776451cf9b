import { CodedError } from '@waybill/contracts/errors/coded-error';
import {
  joinVirtualPath,
  nameOf,
  parentOf,
  parseVirtualPath,
  rootPath,
  type VirtualPath,
} from '@waybill/contracts/values/virtual-path';

/** A file as a request names it, in the tree that the user sees. */
export interface FileTarget {
  readonly path: VirtualPath;
  readonly folder: VirtualPath;
  readonly name: string;
}

/** The file that a path such as `inbox/a.csv` names. @throws CodedError `filename_missing`, `path_invalid` */
export function fileTargetOf(input: string): FileTarget {
  const path = parseVirtualPath(input);
  if (input === '' || input.endsWith('/')) throw new CodedError('filename_missing');
  return { path, folder: parentOf(path), name: nameOf(path) };
}

/** The file or folder that a path such as `inbox/sub/` names. @throws CodedError `filename_missing`, `path_invalid` */
export function elementTargetOf(input: string): FileTarget {
  const path = parseVirtualPath(input);
  if (path === rootPath) throw new CodedError('filename_missing');
  return { path, folder: parentOf(path), name: nameOf(path) };
}

/** The file of this name in a folder. @throws CodedError `filename_missing`, `path_invalid` */
export function fileTargetIn(folder: VirtualPath, name: string | undefined): FileTarget {
  if (name === undefined || name === '') throw new CodedError('filename_missing');
  const path = joinVirtualPath(folder, name);
  return { path, folder, name: nameOf(path) };
}
