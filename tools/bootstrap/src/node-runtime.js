import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { npmInstall } from './npm-install.js';
import { nodePackages } from './pinned-packages.js';
import { Refusal } from './refusal.js';
import { step } from './step.js';

/** The oldest Node that runs the platform's TypeScript without compilation. */
const oldestMajor = 24;

/**
 * A Node to run things with.
 *
 * @typedef {object} NodeRuntime
 * @property {string} program  the file to run
 * @property {string} prefix   the folder that holds `include/node`
 * @property {string} version  as in `v24.0.0`
 */

/**
 * The Node that runs everything after the bootstrap: the machine's when it is new enough and brought its headers,
 * else a private one under `.tools/node`.
 *
 * @param {string} root  the repository
 * @returns {Promise<NodeRuntime>}
 */
export async function ensureNode(root) {
  const machine = { program: process.execPath, prefix: prefixOf(process.execPath), version: process.version };
  if (Number.parseInt(process.versions.node, 10) >= oldestMajor && hasHeaders(machine)) return machine;

  const wanted = nodePackages[`${process.platform}-${process.arch}`];
  if (wanted === undefined) {
    throw new Refusal(
      `Waybill needs Node ${oldestMajor} or newer with its headers, and this is ${process.version}: install it and run this again.`,
    );
  }
  const folder = path.join(root, '.tools', 'node');
  const program = path.join(folder, 'node_modules', wanted.name, 'bin', 'node');
  const node = { program, prefix: prefixOf(program), version: `v${wanted.version}` };
  if (versionOf(program) !== node.version) {
    await step(`Installing Node ${wanted.version} into .tools (the machine has ${process.version})`, () =>
      npmInstall(folder, [wanted]),
    );
  }
  if (versionOf(program) !== node.version) throw new Refusal(`The installed ${program} does not run on this machine.`);
  return node;
}

/** @type {(program: string) => string} */
function prefixOf(program) {
  return path.dirname(path.dirname(program));
}

/** @type {(node: NodeRuntime) => boolean} */
function hasHeaders(node) {
  return existsSync(path.join(node.prefix, 'include', 'node', 'node.h'));
}

/** @type {(program: string) => string | undefined} */
function versionOf(program) {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
