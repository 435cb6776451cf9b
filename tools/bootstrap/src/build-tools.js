import { isOnPath, runCommand } from './command.js';
import { Refusal } from './refusal.js';
import { step } from './step.js';

/** What node-gyp calls, and the Debian package that brings each. */
const neededTools = [
  { program: 'python3', debianPackage: 'python3' },
  { program: 'make', debianPackage: 'make' },
  { program: 'g++', debianPackage: 'g++' },
];

/**
 * Makes sure that native modules can be built here; installs missing tools with apt if it may.
 *
 * @param {string} root the repository
 */
export async function ensureBuildTools(root) {
  const missing = missingTools();
  if (missing.length === 0) return;
  const names = missing.map(({ program }) => program).join(', ');
  const packages = missing.map(({ debianPackage }) => debianPackage);
  const request = `apt-get install -y ${packages.join(' ')}`;
  if (!isOnPath('apt-get') || process.getuid?.() !== 0) {
    throw new Refusal(`${names} must be installed to build the SSH ciphers: on Debian, as root, \`${request}\`.`);
  }
  await step(`Installing ${packages.join(', ')} with apt-get`, () => aptInstall(root, packages));
  if (missingTools().length > 0) {
    throw new Refusal(
      `apt-get could not install ${packages.join(', ')}: is there a network? Try \`${request}\` by hand.`,
    );
  }
}

function missingTools() {
  return neededTools.filter(({ program }) => !isOnPath(program));
}

/** @type {(root: string, packages: string[]) => Promise<void>} */
async function aptInstall(root, packages) {
  const options = { cwd: root, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await runCommand('apt-get', ['update', '-qq'], options);
  await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
}
