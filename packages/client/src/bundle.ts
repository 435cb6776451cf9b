import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licencesOf } from '@waybill/packaging/licences-of';
import { bundleModules } from './bundle-modules.ts';
import { collectDeclarations } from './collect-declarations.ts';
import { packageFolder } from './source-folders.ts';

// `npm pack` runs this after the compiler has written the declarations of all sources.
const folder = join(packageFolder, 'dist');
const declarations = join(packageFolder, '.dist-declarations');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const inputs = await bundleModules(folder);
collectDeclarations(declarations, folder);
rmSync(declarations, { recursive: true });
writeFileSync(join(folder, 'LICENSES.txt'), licencesOf(packageFolder, inputs));
