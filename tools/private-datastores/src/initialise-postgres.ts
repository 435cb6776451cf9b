import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, lchown, lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { PostgresPrograms } from './postgres-programs.ts';
import type { UnprivilegedLauncher } from './unprivileged-launcher.ts';

const initialiseTimeoutMs = 120_000;
const run = promisify(execFile);

/** The files of a private PostgreSQL. */
export interface PostgresFolder {
  /** PGDATA. */
  data: string;
  /** Holds the superuser's password; mode 600. */
  passwordFile: string;
}

/** The only role and the first database of a private PostgreSQL. */
export const privateName = 'waybill';

/**
 * Creates the database cluster in `data` if there is none yet, with one superuser and one database named `waybill`.
 * Until it is complete it is in a temporary folder, so that an interrupted attempt leaves nothing that looks complete.
 */
export async function initialisePostgres(
  { data, passwordFile }: PostgresFolder,
  { initdb, postgres }: PostgresPrograms,
  launcher: UnprivilegedLauncher,
): Promise<void> {
  if (existsSync(path.join(data, 'PG_VERSION'))) {
    await giveTo(data, launcher.ownerId);
    return;
  }
  const unfinished = `${data}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  await giveTo(unfinished, launcher.ownerId);

  const launch = async (program: string, args: string[], input = ''): Promise<void> => {
    const [first = program, ...rest] = [...launcher.command, program, ...args];
    const running = run(first, rest, { timeout: initialiseTimeoutMs });
    running.child.stdin?.on('error', () => {}).end(input);
    await running;
  };
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const access = [`--username=${privateName}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  await launch(initdb, ['-D', unfinished, ...locale, ...access]);
  await launch(postgres, ['--single', '-D', unfinished, 'postgres'], `CREATE DATABASE ${privateName}\n`);
  await rename(unfinished, data);
}

/** Gives a folder and its content to a user, unless that user already owns it. */
async function giveTo(folder: string, ownerId: number): Promise<void> {
  if ((await lstat(folder)).uid === ownerId) return;
  for (const name of await readdir(folder, { recursive: true })) {
    await lchown(path.join(folder, name), ownerId, ownerId);
  }
  await chown(folder, ownerId, ownerId);
}
