import type { FilesetId } from '@waybill/contracts/values/fileset-id';

/** A range of a file, from `start` up to but not including `end`. */
export interface SentRange {
  readonly start: number;
  readonly end: number;
}

/** A version of a file, and who reads it: the id of the user, because another one can get the name of a user who was deleted. */
export interface CoveredVersion {
  readonly user: { readonly id: string };
  readonly fileset: FilesetId;
}

/** Stores for a day, over all peers and protocols, which ranges of a version of a file a user was sent. */
export interface DownloadCoverage {
  /** Adds a range. Returns true if it completes the version, whose coverage is then deleted. */
  add(of: CoveredVersion & { readonly size: number }, range: SentRange): Promise<boolean>;
  /**
   * Deletes the ranges of a version that the user was just sent as a whole. This happens a moment later, for several
   * versions at a time, and cannot be awaited. If it fails, a later range may complete the earlier ones.
   */
  forget(of: CoveredVersion): void;
}
