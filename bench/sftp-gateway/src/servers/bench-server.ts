import { readFile } from 'node:fs/promises';

/** One side of the comparison: an SFTP server on this machine that `user` logs in to with the key of the benchmark. */
export interface BenchServer extends AsyncDisposable {
  readonly name: string;
  readonly port: number;
  readonly user: string;
  /** The folder that the client works in, by its path on the server. */
  readonly folder: string;
  /**
   * Memory of all processes of the server together, in bytes: private memory, and a proportional share of shared pages.
   */
  memory(): Promise<number>;
  /** Processor time of all processes of the server together until now, in seconds. */
  processorSeconds(): Promise<number>;
  /** The end of its log, to report a failure. */
  lastWords(): Promise<string>;
}

const endChars = 4_000;

/** The last lines of a text file; empty if it cannot be read. */
export async function endOfFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.slice(-endChars);
}
