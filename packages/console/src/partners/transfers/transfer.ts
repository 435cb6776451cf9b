/**
 * `elsewhere`: another tab is sending the same file, and this one waits for the outcome. `interrupted`: the page that uploaded it is
 * gone, and the file has to be found again.
 */
export type TransferState = 'waiting' | 'elsewhere' | 'running' | 'paused' | 'stored' | 'failed' | 'interrupted';

/** One file that is being uploaded, or was, or should be. */
export interface Transfer {
  readonly id: string;
  /** The virtual folder that it goes to. */
  readonly folder: string;
  readonly name: string;
  readonly size: number;
  /** The time of the last change of the file here, in milliseconds since 1970; with name and size it tells files apart. */
  readonly lastModified: number;
  readonly state: TransferState;
  readonly sentBytes: number;
  /** Bytes a second over the last seconds. */
  readonly bytesPerSecond: number;
  /** Why it failed; a name that is taken can be replaced. */
  readonly failure?: { readonly message: string; readonly isTaken: boolean } | undefined;
  /** Why the last try to send it was refused, while it is tried again. */
  readonly delay?: string | undefined;
  /** Whether a file of that name is replaced. */
  readonly overwrites: boolean;
  /** Whether the browser knows where the file is, and only has to be allowed to read it. */
  readonly hasHandle?: boolean;
  /** Whether the file that was found for it last is another one. */
  readonly isOther?: boolean;
}
