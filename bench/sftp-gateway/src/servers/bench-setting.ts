import type { BenchServer } from './bench-server.ts';
import type { LoginKey } from './create-login-key.ts';
import type { BenchGateway } from './start-gateway.ts';

/** Which way the files go, as the client sees it. */
export type Direction = 'put' | 'get';

/** What every measurement works with. */
export interface BenchSetting {
  readonly ours: BenchGateway;
  readonly theirs: BenchServer;
  readonly key: LoginKey;
  /** Where the servers keep their files. */
  readonly serverDir: string;
  /** For the client's files: in memory where the machine has such a folder, so that its disk is the servers' alone. */
  readonly clientDir: string;
  /** How often both servers take their turn. */
  readonly rounds: number;
  /** How many small files are moved in a turn. */
  readonly smallFiles: number;
  /** In how many sessions at a time they are moved; absent: in each number that there is a budget for. */
  readonly sessions: number | undefined;
  /** Which ways they are moved, in this order. */
  readonly directions: readonly Direction[];
}
