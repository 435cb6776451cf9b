import type { MetadataValues } from '@waybill/contracts/endpoints/files/elements/metadata-values';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { WriteCondition } from '@waybill/user-files/content/write-condition';
import type { OwningUser } from '../access/caller.ts';
import type { Concatenation } from './concatenation.ts';

/** An upload that its user may go on with, on any peer, until it is whole. */
export interface ResumableUpload {
  /** What it is called by its client; nobody can guess it. */
  readonly id: string;
  readonly user: OwningUser;
  /** Where it is to be put, in the tree that the user sees. */
  readonly path: VirtualPath;
  readonly vfsId: string;
  /** Its name in the filebox. */
  readonly blobId: string;
  /** Bytes of the whole file; undefined until its client knows. */
  readonly length: number | undefined;
  /** Its part in a concatenation, if it has one. */
  readonly concatenation: Concatenation | undefined;
  readonly mediaType: string;
  readonly metadata: MetadataValues;
  readonly condition: WriteCondition | undefined;
  /** What the client said of it, in the client's words. */
  readonly description: string;
  /** What the client called it before it knew its id. */
  readonly idempotencyKey: string | undefined;
  /** It is kept until then at least; going on with it makes that later. */
  readonly expiresAt: Date;
  /** The file that it became. */
  readonly fileset: string | undefined;
}
