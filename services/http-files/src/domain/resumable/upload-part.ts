/** What the client says the content of one request has. */
export interface ContentChecksum {
  readonly algorithm: 'sha1' | 'sha256';
  readonly digest: Buffer;
}

/** What one request adds to a resumable upload. */
export interface UploadPart {
  /** Where it begins. */
  readonly offset: number;
  /** Bytes, when the client says so. */
  readonly size: number | undefined;
  readonly checksum: ContentChecksum | undefined;
  /** Bytes of the whole file, when the client tells them with this part. */
  readonly length: number | undefined;
  readonly content: AsyncIterable<Uint8Array>;
}
