import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { findProgram } from './find-program.ts';

const run = promisify(execFile);
const timeoutMs = 180_000;

/** Debian's packages ask this file whether they may start their service; 101 means no. */
const policyFile = '/usr/sbin/policy-rc.d';

/** Whether this process may install Debian packages. */
export function mayInstallDebianPackages(): boolean {
  return process.getuid?.() === 0 && findProgram('apt-get') !== undefined;
}

/**
 * Installs a package for its programs only: a service that it contains does not start, neither now nor with the
 * machine. Throws if apt-get fails, for example without a network.
 * @param options.service the name of such a service
 */
export async function installDebianPackage(name: string, options: { service?: string } = {}): Promise<void> {
  const settings = { timeout: timeoutMs, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const ownPolicy = !existsSync(policyFile);
  if (ownPolicy) await writeFile(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await run('apt-get', ['update', '-qq'], settings);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], settings);
    if (options.service !== undefined && findProgram('systemctl') !== undefined) {
      await run('systemctl', ['disable', options.service], settings);
    }
  } finally {
    if (ownPolicy) await rm(policyFile, { force: true });
  }
}
