import { nameOf, parentOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';

/** The file that started a job, as `${{ file.… }}` sees it. */
export interface JobFile {
  readonly path: string;
  readonly name: string;
  readonly folder: string;
  /** The name without its last extension: `invoice` of `invoice.csv`. */
  readonly stem: string;
  /** The last extension with its dot: `.csv`; empty if there is none. */
  readonly extension: string;
  readonly fileset: string;
  /** Bytes, decimal. */
  readonly size: string;
}

/** What expressions can say of the file at `path`. */
export function describeFile(path: VirtualPath, fileset: string, size: string): JobFile {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  const split = dot > 0 ? dot : name.length;
  return {
    path,
    name,
    folder: parentOf(path),
    stem: name.slice(0, split),
    extension: name.slice(split),
    fileset,
    size,
  };
}
