import type { MetadataValues } from '@waybill/contracts/endpoints/files/elements/metadata-values';

/** A file on its way in. */
export interface IncomingFile {
  readonly mediaType: string;
  readonly content: AsyncIterable<Uint8Array>;
  /** What is known of its size before it is read. */
  readonly expectedBytes: { readonly atLeast: number; readonly atMost: number } | undefined;
  /** Asked when the content has ended: what is known only then. Nothing is stored when it rejects. */
  metadata(): Promise<MetadataValues>;
}
