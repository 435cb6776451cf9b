import { execFileSync } from 'node:child_process';
import type { PostgresPrograms } from './postgres-programs.ts';
import { Refusal } from './refusal.ts';

/** How to run PostgreSQL, which refuses to run as root, and the resulting owner of its files. */
export interface UnprivilegedLauncher {
  /** A program with its arguments, to be followed by the command; empty if none is needed. */
  command: readonly string[];
  /** User and group that the files must belong to, as seen from outside. */
  ownerId: number;
}

const nobody = 65_534;

/**
 * The ways for root to run a program that refuses root, wherever its files are (a clone in /root included), best first:
 * - in a user namespace root appears as the user `nobody`, keeps access to its files, and has no privilege left;
 * - where namespaces are refused, as in most containers, it becomes that user, with only the capability to enter any folder;
 *   without `no_setuid_fixup` access(2), which PostgreSQL uses to find its files, would ignore that capability.
 */
const waysForRoot: readonly UnprivilegedLauncher[] = [
  {
    command: ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--'],
    ownerId: 0,
  },
  {
    command: [
      'setpriv',
      `--reuid=${nobody}`,
      `--regid=${nobody}`,
      '--clear-groups',
      '--no-new-privs',
      '--securebits=+no_setuid_fixup',
      '--bounding-set=-all,+dac_override',
      '--inh-caps=-all,+dac_override',
      '--ambient-caps=-all,+dac_override',
      '--',
    ],
    ownerId: nobody,
  },
];

/** Finds how PostgreSQL's programs can be run here. */
export function findUnprivilegedLauncher({ initdb }: PostgresPrograms): UnprivilegedLauncher {
  const userId = process.getuid?.() ?? nobody;
  if (userId !== 0) return { command: [], ownerId: userId };
  const way = waysForRoot.find(({ command }) => worksWith(command, initdb));
  if (way === undefined) {
    throw new Refusal(
      'PostgreSQL refuses to run as root, and this machine allows neither user namespaces nor setpriv: run this as an ordinary user.',
    );
  }
  return way;
}

/** `initdb --show` runs everything that the start of a server needs, and creates nothing. */
function worksWith([launcher = '', ...args]: readonly string[], initdb: string): boolean {
  try {
    execFileSync(launcher, [...args, initdb, '--show', '--pgdata=/nowhere'], { stdio: 'ignore', timeout: 5000 });
    return true;
  } catch {
    return false;
  }
}
