import type { VirtualPath } from '@waybill/contracts/values/virtual-path';

/** The possible damages of stored content, each with its message. */
export const damages = {
  missing: 'its content is missing',
  size: 'its content has another size',
  content: 'its content differs: the SHA-256 is not that of the stored file',
  unreadable: 'its content cannot be read',
} as const;

/** A kind of damage to stored content. */
export type Damage = keyof typeof damages;

/** A file whose stored content is damaged. */
export interface DamagedFile {
  vfsId: string;
  path: VirtualPath;
  fileset: string;
  storageClass: string;
  blobId: string;
  problem: Damage;
}
