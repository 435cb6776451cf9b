import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from './find-program.ts';
import { Refusal } from './refusal.ts';

const run = promisify(execFile);
/** Includes waiting for other processes that install something. */
const timeoutMs = 600_000;

/**
 * Debian's packages ask `policy-rc.d` whether they may start their service; 101 means no. The lists of packages are fetched only
 * when those of the machine do not do.
 */
const script = `
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  trap 'exit 143' TERM
  printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod 755 $policy
fi
install() { apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"; }
install "$@" || { apt-get update -qq && install "$@"; }
`;

/** A program that the caller needs. */
export interface NeededProgram<Found> {
  /** What the user misses without it: "OpenSSH's server". */
  readonly what: string;
  /** Debian's packages that have it. */
  readonly packages: readonly string[];
  /** The service that one of them contains, which shall not start with the machine. */
  readonly service?: string;
  /** What the caller wants to know of it, such as its path; undefined when it is not there. */
  find(): Found | undefined | Promise<Found | undefined>;
  /** Is called with a line for the user before something is installed. */
  report?(line: string): void;
}

/** Whether this process may install Debian packages. */
export function mayInstallDebianPackages(): boolean {
  return process.getuid?.() === 0 && findProgram('apt-get') !== undefined;
}

/**
 * Finds a program, which Debian's packages bring when it is missing, where these may be installed.
 * @throws Refusal that says what to install, and what apt-get said
 */
export async function ensureProgram<Found>(needed: NeededProgram<Found>): Promise<Found> {
  const found = await needed.find();
  if (found !== undefined) return found;
  let reason = '';
  if (mayInstallDebianPackages()) {
    needed.report?.(`Installing ${needed.packages.join(' ')} with apt-get`);
    reason = await install(needed).then(
      () => '',
      (error: unknown) => `; apt-get failed: ${lastLineOf(error)}`,
    );
    const installed = await needed.find();
    if (installed !== undefined) return installed;
  }
  throw new Refusal(
    `${needed.what} is missing: install it (on Debian \`apt-get install ${needed.packages.join(' ')}\`) and try again${reason}.`,
  );
}

/**
 * Installs packages for their programs only: a service that they contain does not start, neither now nor with the machine. One
 * process of the machine after the other: apt-get fails when it finds another one at work.
 */
async function install({ packages, service }: Omit<NeededProgram<unknown>, 'find'>): Promise<void> {
  const args = ['/run/lock/waybill-packages', 'sh', '-c', script, 'sh', ...packages];
  await run('flock', args, { timeout: timeoutMs, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  if (service !== undefined && findProgram('systemctl') !== undefined) {
    await run('systemctl', ['disable', service], { timeout: timeoutMs });
  }
}

function lastLineOf(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
