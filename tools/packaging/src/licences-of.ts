import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '..', '..', '..');

/**
 * The licence of this project and those of the bundled packages, which demand to be passed on.
 * @param inputs the files that were bundled, relative to `folder`
 */
export function licencesOf(folder: string, inputs: readonly string[]): string {
  const folders = new Set(
    inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(input)?.[0] ?? []),
  );
  const texts = [...folders].toSorted().map((each) => licenceOf(join(folder, each)));
  return [licenceOf(repository), ...texts].join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(path: string): string {
  const file = readdirSync(path).find((name) => /^licen[cs]e(?:\.\w+)?$/iu.test(name));
  if (file === undefined || !existsSync(join(path, 'package.json'))) throw new Error(`${path} has no licence`);
  const { name } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { name: string };
  return `${name}\n\n${readFileSync(join(path, file), 'utf8')}`;
}
