import type { FilesetId } from '@waybill/contracts/values/fileset-id';
import type { UserName } from '@waybill/contracts/values/user-name';

/** Some bytes of a file: from `start` to the one before `end`. */
export interface SentRange {
  readonly start: number;
  readonly end: number;
}

/** Remembers for a day, for all peers and protocols, which ranges of a version of a file a user was sent. */
export interface DownloadCoverage {
  /** Adds a range. True when it completes the version, whose coverage is then forgotten. */
  add(of: { userName: UserName; fileset: FilesetId; size: number }, range: SentRange): Promise<boolean>;
  /**
   * Forgets the ranges of a version whose user was just sent all of it at once. It is done a moment later, for several versions at
   * a time, and cannot be waited for. If it fails, a later range may complete those of before.
   */
  forget(of: { userName: UserName; fileset: FilesetId }): void;
}
