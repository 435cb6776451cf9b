import { globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package. */
export const packageFolder = join(import.meta.dirname, '..');

const contracts = join(folderOf(import.meta.resolve('@waybill/contracts/endpoints/endpoint')), '..');

/** The source of the client. */
export const clientSource = folderOf(import.meta.resolve('@waybill/platform-client/create-client'));

/** The folders whose trees the package unites: no path is in both. */
export const sourceFolders: readonly string[] = [clientSource, contracts];

/** The modules that programs import: those of the client, and the contracts of all endpoints. */
export function publicModules(): string[] {
  const files = [clientSource, join(contracts, 'endpoints')].flatMap((folder) =>
    globSync('**/*.ts', { cwd: folder }).map((path) => join(folder, path)),
  );
  return files.filter((file) => !file.endsWith('.test.ts')).toSorted();
}

/** The path of a source in the package, without the end of its name; `undefined` for a file that is not a source. */
export function placeOf(file: string): string | undefined {
  const folder = sourceFolders.find((each) => file.startsWith(`${each}/`));
  return folder && relative(folder, file).replace(/\.ts$/u, '');
}

function folderOf(url: string): string {
  return dirname(fileURLToPath(url));
}
