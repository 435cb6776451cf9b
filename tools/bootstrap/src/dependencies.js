import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBuildTools } from './build-tools.js';
import { runCommand } from './command.js';
import { installFailure } from './install-failure.js';
import { ensurePackageManager } from './package-manager.js';
import { Refusal } from './refusal.js';
import { step } from './step.js';

/** @typedef {import('./node-runtime.js').NodeRuntime} NodeRuntime */

/** Without a network pnpm would retry each of its many downloads for minutes before it reports that. */
const quickToFail = [
  '--config.fetch-retries=1',
  '--config.fetch-retry-mintimeout=1000',
  '--config.fetch-retry-maxtimeout=2000',
];

/**
 * Installs the workspace's dependencies from the lockfile, and makes sure that ssh2's native ciphers load in the Node
 * that will use them: without them SSH still works, many times slower, and this would go unnoticed. Skipped if neither
 * the lockfile nor Node has changed since the last time.
 * @param {string} root  the repository
 * @param {NodeRuntime} node
 */
export async function ensureDependencies(root, node) {
  const stampFile = path.join(root, 'node_modules', '.waybill-installed');
  const stamp = stampOf(root, node);
  const isUnchanged = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  if (isUnchanged && (await loadCiphers(root, node)).ok) return;

  await ensureBuildTools(root);
  const pnpm = await ensurePackageManager(root);
  const options = { cwd: root, env: installEnvironment(node) };

  await step('Installing the dependencies', async () => {
    const { ok, output } = await runCommand(pnpm, ['install', '--frozen-lockfile', ...quickToFail], {
      ...options,
      shows: isProgress,
    });
    if (!ok) throw installFailure('What pnpm-lock.yaml lists', output);
  });
  if (!(await loadCiphers(root, node)).ok) {
    const built = await step('Building the SSH ciphers', () => runCommand(pnpm, ['rebuild', 'ssh2'], options));
    const loaded = await loadCiphers(root, node);
    if (!loaded.ok) {
      console.error(built.output);
      throw new Refusal(`The native ciphers of ssh2 do not load in Node ${node.version}: ${loaded.output.trim()}`);
    }
  }
  writeFileSync(stampFile, stamp);
}

/** @type {(root: string, node: NodeRuntime) => string} */
function stampOf(root, node) {
  const lockfile = readFileSync(path.join(root, 'pnpm-lock.yaml'));
  return `${createHash('sha256').update(lockfile).digest('hex')} ${node.version} ${node.program}\n`;
}

/**
 * The chosen Node first on PATH, because install scripts call `node`; its headers where node-gyp looks for them. The
 * node-gyp of the npm that runs this is not used: Debian's builds for Debian's Node, and its output crashes in any
 * other; pnpm includes one.
 * @type {(node: NodeRuntime) => NodeJS.ProcessEnv}
 */
function installEnvironment(node) {
  const { npm_config_node_gyp: _, ...environment } = process.env;
  return {
    ...environment,
    PATH: `${path.dirname(node.program)}${path.delimiter}${process.env.PATH ?? ''}`,
    npm_config_nodedir: node.prefix,
  };
}

/**
 * pnpm's counts, without the output of the compilers of native modules and without the closing list of packages.
 * @type {(line: string) => boolean}
 */
function isProgress(line) {
  return /^(Progress|Done|Packages):? /.test(line);
}

/** @type {(root: string, node: NodeRuntime) => Promise<{ ok: boolean, output: string }>} */
async function loadCiphers(root, node) {
  const gateway = path.join(root, 'services', 'sftp-gateway', 'package.json');
  const script = `require('node:module').createRequire(${JSON.stringify(gateway)})('ssh2/lib/protocol/crypto/build/Release/sshcrypto.node')`;
  return runCommand(node.program, ['-e', script], { cwd: root });
}
