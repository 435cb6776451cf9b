import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSmallFiles } from '../files/bench-files.ts';
import type { BenchServer } from '../servers/bench-server.ts';
import type { BenchSetting, Direction } from '../servers/bench-setting.ts';
import { runSftpBatch } from './run-sftp-batch.ts';

/** Small files that are transferred in this many sessions at a time, and their minimum ratio to OpenSSH's speed. */
export interface SmallFilePlan {
  readonly sessions: number;
  readonly budget: number;
}

/** Transfers small files; the client's are removed when it is disposed of. */
export interface SmallFileRun extends AsyncDisposable {
  /** Returns the seconds from the first login to the end of the slowest session. */
  move(direction: Direction, server: BenchServer): Promise<number>;
}

const plans: readonly SmallFilePlan[] = [
  { sessions: 1, budget: 1 },
  { sessions: 8, budget: 1.5 },
];

/** The requested plans. */
export function smallFilePlans({ sessions }: BenchSetting): readonly SmallFilePlan[] {
  return plans.filter((plan) => sessions === undefined || plan.sessions === sessions);
}

/** Creates the client's files and a folder for each session on each server. */
export async function prepareSmallFiles(
  { key, clientDir, smallFiles: files }: BenchSetting,
  { sessions }: SmallFilePlan,
  servers: readonly BenchServer[],
): Promise<SmallFileRun> {
  const [source, target] = [join(clientDir, 'small'), join(clientDir, 'received')];
  const run = (server: BenchServer, ...commands: string[]) =>
    runSftpBatch({ server, identityFile: key.identityFile, commands });
  const parts = Array.from({ length: sessions }, (_, part) => `part-${sessions}-${part}`);
  for (const part of parts) await writeSmallFiles(join(source, part), files / sessions);
  await mkdir(target, { recursive: true });
  for (const server of servers) await run(server, ...parts.map((part) => `-mkdir ${part}`));
  const commands = {
    put: (part: string) => `put ${join(source, part)}/*`,
    get: () => `get * ${target}/`,
  };
  return {
    move: async (direction, server) =>
      Math.max(...(await Promise.all(parts.map((part) => run(server, `cd ${part}`, commands[direction](part)))))),
    [Symbol.asyncDispose]: async () => {
      for (const folder of [source, target]) await rm(folder, { recursive: true, force: true });
    },
  };
}
