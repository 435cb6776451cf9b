import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isOnPath, runCommand } from './command.js';
import { installFailure } from './install-failure.js';
import { Refusal } from './refusal.js';

/** @typedef {import('./pinned-packages.js').PinnedPackage} PinnedPackage */

/**
 * Installs packages with the machine's npm into a separate folder, apart from the workspace. npm compares each archive
 * with its digest; dependencies are not installed, and install scripts do not run.
 * @param {string} folder  created if missing
 * @param {readonly PinnedPackage[]} packages
 */
export async function npmInstall(folder, packages) {
  const what = packages.map(({ name, version }) => `${name}@${version}`).join(' with ');
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifestOf(packages), null, 2));
    writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lockfileOf(packages), null, 2));
  } catch (err) {
    throw installFailure(what, String(err));
  }
  const npm = npmCommand();
  const quickToFail = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=2000'];
  const plain = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { ok, output } = await runCommand(
    npm.program,
    [...npm.args, 'ci', '--prefix', folder, ...plain, ...quickToFail],
    { cwd: folder },
  );
  if (!ok) throw installFailure(what, output);
}

/**
 * @param {readonly PinnedPackage[]} packages
 * @returns {{ private: true, dependencies: Record<string, string> }}
 */
function manifestOf(packages) {
  return { private: true, dependencies: Object.fromEntries(packages.map(({ name, version }) => [name, version])) };
}

/**
 * A lockfile without addresses: npm asks the registry that it is configured for.
 *
 * @param {readonly PinnedPackage[]} packages
 */
export function lockfileOf(packages) {
  const { dependencies } = manifestOf(packages);
  const entries = packages.map(({ name, ...pinned }) => [`node_modules/${name}`, pinned]);
  return { lockfileVersion: 3, requires: true, packages: { '': { dependencies }, ...Object.fromEntries(entries) } };
}

/**
 * npm itself when it runs us (`npm start` names its own script), else the one on PATH.
 *
 * @returns {{ program: string, args: string[] }}
 */
function npmCommand() {
  const script = process.env.npm_execpath ?? '';
  if (/^npm(-cli)?\.c?js$/.test(path.basename(script))) return { program: process.execPath, args: [script] };
  if (isOnPath('npm')) return { program: 'npm', args: [] };
  throw new Refusal('npm is missing: install it (on Debian `apt-get install npm`) and run this again.');
}
