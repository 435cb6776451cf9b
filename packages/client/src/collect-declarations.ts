import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { clientSource, placeOf, publicModules, sourceFolders } from './source-folders.ts';

const packages = join(clientSource, '..', '..');
const zod = dirname(createRequire(join(clientSource, 'create-client.ts')).resolve('zod'));

/**
 * Writes the declarations of the public modules, and all that they import, those of zod among them: a program that compiles
 * against the package needs no other package.
 * @param emitted the folder into which the compiler wrote the declarations of `packages`
 */
export function collectDeclarations(emitted: string, folder: string): void {
  const places = [
    ...sourceFolders.map((source) => [join(emitted, relative(packages, source)), folder] as const),
    [zod, join(folder, 'libraries', 'zod')] as const,
  ];
  const targetOf = (file: string): string => {
    const [from, to] = places.find(([each]) => file.startsWith(`${each}/`)) ?? [];
    if (from === undefined || to === undefined) throw new Error(`${file} has no place in the package`);
    return join(to, relative(from, file));
  };
  const [client = '', contracts = ''] = places.map(([from]) => from);
  const fileOf = (specifier: string, importer: string): string => {
    if (specifier.startsWith('.')) return join(dirname(importer), specifier.replace(/\.[jt]s$/u, '.d.ts'));
    if (specifier.startsWith('@waybill/contracts/')) return join(contracts, `${specifier.slice(19)}.d.ts`);
    if (/^zod(?:\/|$)/u.test(specifier)) return join(zod, specifier.slice(4), 'index.d.ts');
    throw new Error(`${importer} imports ${specifier}, whose declarations are not in the package`);
  };
  const files = new Set(
    publicModules().map((file) => join(isOfClient(file) ? client : contracts, `${placeOf(file)}.d.ts`)),
  );
  for (const file of files) {
    const target = targetOf(file);
    const text = readFileSync(file, 'utf8').replaceAll(
      /((?:^|[ }*])from |\bimport\()(["'])([^"'\n]+)\2/gmu,
      (whole, before: string, _quote, specifier: string) => {
        if (specifier.startsWith('node:')) return whole;
        const imported = fileOf(specifier, file);
        files.add(imported);
        const path = relative(dirname(target), targetOf(imported)).replace(/\.d\.ts$/u, '.js');
        return `${before}'${path.startsWith('.') ? path : `./${path}`}'`;
      },
    );
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

function isOfClient(file: string): boolean {
  return file.startsWith(`${clientSource}/`);
}
