import type { FilesetId } from '@waybill/contracts/values/fileset-id';

/** Some bytes of a file: from `start` to the one before `end`. */
export interface SentPart {
  readonly start: number;
  readonly end: number;
}

/** Remembers for some time, for all peers and protocols, which parts of a version of a file a user was sent. */
export interface SentParts {
  /** Adds a part. True when with it all of the version was sent; then nothing of that is remembered. */
  add(of: { userName: string; fileset: FilesetId; size: number }, part: SentPart): Promise<boolean>;
  /**
   * The user was just sent all of the version at once: the parts that came before are to count for nothing any more. Done a moment
   * later, for several versions at a time, as few were ever read in parts; nobody can wait for it, and should it fail a later part
   * may complete those.
   */
  forget(of: { userName: string; fileset: FilesetId }): void;
}
