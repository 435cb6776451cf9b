/** One breach of a rule of the house: where, and what to do about it. */
export interface Finding {
  readonly path: string;
  /** Counted from 1; absent if the finding concerns the whole file. */
  readonly line?: number;
  readonly message: string;
}
