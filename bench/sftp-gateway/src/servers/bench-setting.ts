import type { BenchServer } from './bench-server.ts';
import type { LoginKey } from './create-login-key.ts';
import type { BenchGateway } from './start-gateway.ts';

/** The direction of the files, from the client's point of view. */
export type Direction = 'put' | 'get';

/** What every measurement needs. */
export interface BenchSetting {
  readonly ours: BenchGateway;
  readonly theirs: BenchServer;
  readonly key: LoginKey;
  /** Where the servers keep their files. */
  readonly serverDir: string;
  /** For the client's files: in memory if the machine has such a folder, so that only the servers use the disk. */
  readonly clientDir: string;
  /** The number of turns of both servers. */
  readonly rounds: number;
  /** The number of small files in a turn. */
  readonly smallFiles: number;
  /** The number of concurrent sessions; absent: each number that has a budget. */
  readonly sessions: number | undefined;
  /** The directions, in this order. */
  readonly directions: readonly Direction[];
}
