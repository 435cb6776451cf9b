import { randomBytes } from 'node:crypto';
import { openSftpSession, type SftpLogin, type SftpSession } from './open-sftp-session.ts';
import type { BenchPlatform } from './start-bench-platform.ts';

/** What every measurement of a running platform needs. */
export interface BenchSetting {
  readonly platform: BenchPlatform;
  readonly privateKey: Buffer;
  /** The number of files of each run. */
  readonly files: number;
}

/** The content of each small file. */
export const smallContent: Buffer = randomBytes(4096);

let folders = 0;

/** A folder name that no other measurement has used. */
export function freshFolder(): string {
  folders += 1;
  return `/bench-${folders}`;
}

/** How to log in to the platform. */
export function loginOf(
  { platform, privateKey }: Pick<BenchSetting, 'platform' | 'privateKey'>,
  user: string,
): SftpLogin {
  return { port: platform.sftpPort, user, privateKey };
}

/** Runs work with this many sessions of a user, which end after it. */
export async function withSessions<T>(
  login: SftpLogin,
  count: number,
  work: (sessions: readonly SftpSession[]) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const sessions: SftpSession[] = [];
  while (sessions.length < count) sessions.push(stack.use(await openSftpSession(login)));
  return await work(sessions);
}

/** Creates folders, one after the other. */
export async function makeFolders(login: SftpLogin, paths: readonly string[]): Promise<void> {
  await withSessions(login, 1, async ([session]) => {
    for (const path of paths) await session?.makeFolder(path);
  });
}
