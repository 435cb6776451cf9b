import { runSftp } from '@waybill/test-kit/run-sftp';
import { digestOf } from './busy-clients.ts';
import type { RunningPlatform } from './composed-platform.ts';
import type { Interval, Ledger } from './ledger.ts';

/** What became of the files that clients stored. */
export interface RestoredFiles {
  /** Files that did not change while the backup was made, and are as they were. */
  readonly certain: number;
  /** Files that changed meanwhile, and are as they were at some moment of it. */
  readonly between: number;
  /** Files that came and went while the backup was made, and whose content is honestly told to be missing. */
  readonly missing: readonly string[];
  /** Uploads that were under way: their sender sees a file without content over SFTP, and has to begin again. */
  readonly unfinished: readonly string[];
  /** Files that were stored after the backup and are not there, or have the content of before. */
  readonly lost: number;
  /** What is not as it can have been while the backup was made, in words. */
  readonly wrong: readonly string[];
}

/** Downloads each file that a client ever stored, and compares it with what the ledger says. */
export async function checkRestoredFiles(
  platform: RunningPlatform,
  ledger: Ledger,
  backup: Interval,
): Promise<RestoredFiles> {
  const http = await platform.partner();
  const found = new Map<string, string | undefined>();
  const missing: string[] = [];
  for (const path of ledger.paths()) {
    const { status, bytes, text } = await http.get(`/2.0/files${path}`);
    if (status === 500 && text.includes('The content of the file is missing')) missing.push(path);
    else if (status !== 200 && status !== 404) throw new Error(`${path} was answered with ${status}: ${text}`);
    found.set(path, status === 404 ? undefined : digestOf(bytes));
  }
  const isAsItWas = (path: string): boolean =>
    missing.includes(path) ? ledger.cameAndWent(path, backup) : ledger.possible(path, backup).includes(found.get(path));
  const wrong = ledger.paths().filter((path) => !isAsItWas(path));
  const isCertain = (path: string): boolean => ledger.possible(path, backup).length === 1;
  const stored = ledger
    .paths()
    .filter((path) => ledger.possible(path, backup).some((content) => content !== undefined));
  const listed = await listOverSftp(platform);
  const differing = ledger.paths().filter((path) => listed.has(path) !== (found.get(path) !== undefined));
  const isUnfinished = (path: string): boolean => listed.has(path) && ledger.wasUnderWay(path, backup);
  return {
    certain: stored.filter(isCertain).length,
    between: stored.filter((path) => !isCertain(path)).length,
    missing,
    lost: ledger.storedAfter(backup).length,
    unfinished: differing.filter(isUnfinished),
    wrong: [
      ...wrong.map((path) => `${path} is not as it was at any moment of the backup`),
      ...differing.filter((path) => !isUnfinished(path)).map((path) => `SFTP and HTTP do not agree on ${path}`),
    ],
  };
}

async function listOverSftp({ login }: RunningPlatform): Promise<Set<string>> {
  const { stdout, stderr, exitCode } = await runSftp({ ...login, commands: ['ls -1 /data'], timeoutMs: 60_000 });
  if (exitCode !== 0) throw new Error(`sftp ended with ${exitCode}: ${stderr}`);
  return new Set(stdout.split('\n').filter((line) => line.startsWith('/data/')));
}
