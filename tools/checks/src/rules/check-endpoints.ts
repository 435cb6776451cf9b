import { interfaceAreas } from '@waybill/docs/interface-areas';
import { type Finding, lineAt, type SourceFile } from './source-file.ts';

const contractFiles = /^packages\/contracts\/src\/endpoints\/.*(?<!\.test)\.ts$/;
const documentedIds = Object.values(interfaceAreas).flatMap(({ endpoints }) => endpoints.map(({ id }) => id));

/** The contract of every endpoint is in the table of the documentation, so that no address is undocumented. */
export function checkEndpoints(tree: readonly SourceFile[], documented: readonly string[] = documentedIds): Finding[] {
  return tree
    .filter(({ path }) => contractFiles.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/defineEndpoint\(\{\s*(?:\.\.\.\w+,\s*)*id: '(\w+)'/g)]
        .filter(([, id = '']) => !documented.includes(id))
        .map(({ 1: id, index }) => ({
          path,
          line: lineAt(text, index),
          message: `${id} is not in tools/docs/src/interface-areas.ts`,
        })),
    );
}
