import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GeneratedPage, markdownTable } from './generated-page.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const definition = /CREATE (?:OR REPLACE )?FUNCTION ([a-z_]+\.[a-z_]+)\(/gu;

/** `docs/database-functions.md`: which migration has the current body of a database function. */
export function renderDatabaseFunctionsPage(): GeneratedPage {
  return {
    path: 'docs/database-functions.md',
    text: `# Database functions

A migration is never changed after a release: a later migration redefines a changed function. This table names the
migration with the current body of each function.

${markdownTable(['Function', 'Defined in', 'Before'], functions())}`,
  };
}

function functions(): string[][] {
  const files = globSync('{packages,services}/*/src/migrations/[0-9]*.ts', { cwd: root });
  const migrationsOf = new Map<string, string[]>();
  for (const file of files.toSorted()) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, name = ''] of text.matchAll(definition)) {
      migrationsOf.set(name, [...(migrationsOf.get(name) ?? []), `[${basename(file)}](../${file})`]);
    }
  }
  return [...migrationsOf]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, migrations]) => [`\`${name}\``, migrations.at(-1) ?? '', migrations.slice(0, -1).join(', ')]);
}
