import type { Location } from '@waybill/directory/access/mounts';

/** One thing that an archive is to hold. */
export type ArchivePart =
  | { readonly kind: 'folder'; readonly name: string; readonly modifiedAt: Date | undefined }
  | { readonly kind: 'file'; readonly name: string; readonly location: Location };
