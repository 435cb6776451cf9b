/** A violation of a house rule: where, and how to fix it. */
export interface Finding {
  readonly path: string;
  /** Counted from 1; absent if the finding concerns the whole file. */
  readonly line?: number;
  readonly message: string;
}
