import type { UploadEntry } from '@waybill/filebox/model/entry';
import type { ListedEntry } from '@waybill/filebox/model/entry-query';

/** Which of all entries something is, whatever is at its path by now. */
export interface EntryIdentity {
  /** Undefined for a folder that only leads to what is mounted. */
  readonly vfsId: string | undefined;
  /** Undefined for that, and for what has not been committed yet. */
  readonly id: string | undefined;
}

/** What a user sees of a file or a folder. `size` in bytes; 0 for a folder. */
export interface EntryDescription {
  readonly kind: 'file' | 'folder';
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: Date;
  readonly accessedAt: Date;
}

/** An uncommitted upload looks like a file of the size it has reached: that is how a client resumes it. */
export function describeEntry(entry: ListedEntry | UploadEntry): EntryDescription {
  const { name, modifiedAt } = entry;
  if (entry.kind === 'folder') return { kind: 'folder', name, size: 0, modifiedAt, accessedAt: modifiedAt };
  const accessedAt = entry.kind === 'file' ? (entry.lastReadAt ?? modifiedAt) : modifiedAt;
  return { kind: 'file', name, size: entry.size, modifiedAt, accessedAt };
}

/** A folder that exists only because something is mounted in it. */
export function describeMountFolder(name: string): EntryDescription {
  const epoch = new Date(0);
  return { kind: 'folder', name, size: 0, modifiedAt: epoch, accessedAt: epoch };
}
