// For the image: `node tools/bootstrap/install-package-manager.js <folder>` installs the pnpm that package.json names.
// Plain JavaScript without dependencies, as run.js.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackageManager } from './src/package-manager.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Usage: node tools/bootstrap/install-package-manager.js <folder>');
  process.exitCode = 2;
} else {
  await installPackageManager(root, path.resolve(folder));
}
