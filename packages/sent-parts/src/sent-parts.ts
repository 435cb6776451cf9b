import type { FilesetId } from '@waybill/contracts/fileset-id';

/** Some bytes of a file: from `start` to the one before `end`. */
export interface SentPart {
  readonly start: number;
  readonly end: number;
}

/** Remembers for some time, for all peers and protocols, which parts of a version of a file a user was sent. */
export interface SentParts {
  /** Adds a part. True when with it all of the version was sent; then nothing of that is remembered. */
  add(of: { userName: string; fileset: FilesetId; size: number }, part: SentPart): Promise<boolean>;
}
