/** One side of the comparison: an SFTP server on this machine that `user` logs in to with the key of the benchmark. */
export interface BenchServer extends AsyncDisposable {
  readonly name: string;
  readonly port: number;
  readonly user: string;
  /** The folder that the client works in, as the server shows it. */
  readonly folder: string;
  /** Memory of all processes of the server together, in bytes: what each has for itself, shared pages shared out. */
  memory(): Promise<number>;
  /** Processor time of all processes of the server together up to now, in seconds. */
  processorSeconds(): Promise<number>;
  /** The end of its log, for when something went wrong. */
  lastWords(): Promise<string>;
}
