import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licencesOf } from '@waybill/packaging/licences-of';
import { build, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist');

// Packages in CommonJS ask for modules of Node with `require`.
const banner = `#!/usr/bin/env node
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

/** The verifier of auditors stays a program of its own: it runs when it is the first file of a process. */
const verifier: Plugin = {
  name: 'verifier',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@waybill\/audit-verifier\// }, () => ({ path: './verify-audit-log.js', external: true }));
  },
};

const { metafile } = await build({
  entryPoints: [join(root, 'src', 'main.ts')],
  outfile: join(folder, 'waybill.js'),
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  plugins: [verifier],
  banner: { js: banner },
  metafile: true,
  logLevel: 'warning',
});
copyFileSync(
  fileURLToPath(import.meta.resolve('@waybill/audit-verifier/verify-audit-log')),
  join(folder, 'verify-audit-log.js'),
);
writeFileSync(join(folder, 'LICENSES.txt'), licencesOf(root, Object.keys(metafile.inputs)));
