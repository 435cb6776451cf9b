import { existsSync, linkSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { npmInstall } from './npm-install.js';
import { pnpmPackage, pnpmPrograms } from './pinned-packages.js';
import { Refusal } from './refusal.js';
import { step } from './step.js';

/**
 * pnpm in exactly the version that package.json names, under `.tools/pnpm`.
 *
 * @param {string} root  the repository
 * @returns {Promise<string>} the program
 */
export async function ensurePackageManager(root) {
  const wanted = packageManagerOf(readManifest(root));
  const folder = path.join(root, '.tools', 'pnpm');
  const installed = path.join(folder, 'node_modules', 'pnpm');
  if (!existsSync(installed) || readManifest(installed).version !== wanted.version) {
    await step(`Installing ${wanted.name} ${wanted.version} into .tools`, () => installPackageManager(root, folder));
  }
  return path.join(folder, 'node_modules', '.bin', 'pnpm');
}

/**
 * Installs the pnpm that package.json names.
 *
 * @param {string} root    the repository
 * @param {string} folder  created when missing
 */
export async function installPackageManager(root, folder) {
  const wanted = packageManagerOf(readManifest(root));
  if (wanted.name !== pnpmPackage.name || wanted.version !== pnpmPackage.version) {
    throw new Refusal(
      `package.json names ${wanted.name} ${wanted.version}, and tools/bootstrap/src/pinned-packages.js ${pnpmPackage.version}.`,
    );
  }
  const program = pnpmPrograms[`${process.platform}-${process.arch}`];
  if (program === undefined) return npmInstall(folder, [pnpmPackage]);
  await npmInstall(folder, [pnpmPackage, program]);
  // As pnpm's install script does: the program belongs beside the node-gyp that pnpm includes.
  const placeholder = path.join(folder, 'node_modules', 'pnpm', 'pnpm');
  rmSync(placeholder);
  linkSync(path.join(folder, 'node_modules', program.name, 'pnpm'), placeholder);
}

/**
 * @param {{ packageManager: string }} manifest  a package.json; `packageManager` reads `pnpm@1.2.3`, with or without a hash
 * @returns {{ name: string, version: string }}
 */
export function packageManagerOf(manifest) {
  const [name = '', versionAndHash = ''] = manifest.packageManager.split('@');
  return { name, version: versionAndHash.replace(/\+.*/, '') };
}

/** @type {(folder: string) => { version: string, packageManager: string }} */
function readManifest(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
}
