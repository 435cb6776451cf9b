import type { VirtualPath } from '@waybill/contracts/values/virtual-path';

/** What can be wrong with the stored content of a file, each with how it is said. */
export const damages = {
  missing: 'its content is not there',
  size: 'its content has another size',
  content: 'its content is another one: the SHA-256 differs',
  unreadable: 'its content cannot be read',
} as const;

/** What is wrong with the stored content of a file. */
export type Damage = keyof typeof damages;

/** A file whose stored content is not what was stored. */
export interface DamagedFile {
  vfsId: string;
  path: VirtualPath;
  fileset: string;
  storageClass: string;
  blobId: string;
  problem: Damage;
}
