import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { existing } from '@waybill/test-kit/values/existing';
import { parse } from 'yaml';
import { z } from 'zod';

const recipeSchema = z.looseObject({
  clientConnections: z.array(z.looseObject({ name: z.string() })).default([]),
  actors: z.array(
    z.looseObject({
      virtualFileSystems: z.array(z.object({ name: z.string(), folders: z.array(z.string()) })).default([]),
    }),
  ),
});

/** A configuration of `docs/recipes.md`. */
export type Recipe = z.infer<typeof recipeSchema>;

/** What a test needs to be different. */
export interface RecipeChanges {
  /** By the names of connections: settings that replace those of the page. */
  readonly connections?: Readonly<Record<string, object>>;
  /** Texts, and what replaces them everywhere. */
  readonly texts?: Readonly<Record<string, string>>;
}

const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'recipes.md');

/** The headings of all recipes. */
export async function recipeHeadings(): Promise<string[]> {
  return [...(await readFile(page, 'utf8')).matchAll(/^## (.*)$/gmu)].map(([, heading = '']) => heading);
}

/** The configuration under a heading, as the page shows it. */
export async function recipeText(heading: string): Promise<string> {
  const [, section = ''] = (await readFile(page, 'utf8')).split(`\n## ${heading}\n`);
  return existing(/```yaml\n([\s\S]*?)```/u.exec(section)?.[1]);
}

/** The recipe under a heading, for a platform under test. */
export async function readRecipe(
  heading: string,
  { connections = {}, texts = {} }: RecipeChanges = {},
): Promise<Recipe> {
  let text = await recipeText(heading);
  const replaced = { "'${ADMIN_PASSWORD:-change-me}'": 'admin-demo', ...texts };
  for (const [from, to] of Object.entries(replaced)) text = text.replaceAll(from, () => to);
  const recipe = recipeSchema.parse(parse(text));
  return {
    ...recipe,
    clientConnections: recipe.clientConnections.map((connection) => ({
      ...connection,
      ...connections[connection.name],
    })),
  };
}
