import { readFileSync } from 'node:fs';
import { platformConfigurationSchema } from '@waybill/contracts/configuration/platform-configuration';
import { expect, it } from 'vitest';
import { z } from 'zod';

const readPage = (name: string): string =>
  readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')
    .split(/^## Names$/mu)
    .at(-1) ?? '';

/** Sections by their titles, such as `actors[].users`, each up to the next heading with a title of that kind. */
const sections = new Map(
  readPage('configuration-file')
    .split(/^#{2,3} (?=`)/mu)
    .slice(1)
    .map((text) => [/^`([^`]+)`/u.exec(text)?.[1] ?? '', text]),
);

const nodeSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  $ref: z.string().optional(),
});
const schema = z.toJSONSchema(platformConfigurationSchema, { io: 'input', unrepresentable: 'any' });
const definitions = z.record(z.string(), z.unknown()).parse(schema.$defs ?? {});

/** The places of all fields, such as `actors[].users[].name`; of fields within themselves, those of the first level. */
function placesIn(node: unknown, place: string, within: readonly string[] = []): string[] {
  const parsed = nodeSchema.safeParse(node);
  if (!parsed.success) return [];
  const { properties = {}, items, anyOf = [], oneOf = [], $ref } = parsed.data;
  if ($ref !== undefined) {
    const name = $ref.replace('#/$defs/', '');
    return within.includes(name) ? [] : placesIn(definitions[name], place, [...within, name]);
  }
  return [
    ...Object.entries(properties).flatMap(([name, property]) => {
      const field = place === '' ? name : `${place}.${name}`;
      return [field, ...placesIn(property, field, within)];
    }),
    ...placesIn(items, `${place}[]`, within),
    ...[...anyOf, ...oneOf].flatMap((choice) => placesIn(choice, place, within)),
  ];
}

/** The text that explains a field: the section of its entity, and the page that the section refers to for client connections. */
function explanationOf(place: string): string {
  // What belongs to an actor may also stand at the top level, with the same fields.
  const own = place.replace(/^(?=(?:clientConnections|pgpKeys)\b)/u, 'actors[].');
  const [title] = [...sections.keys()]
    .filter((name) => own === name || own.startsWith(`${name}.`) || own.startsWith(`${name}[]`))
    .toSorted((one, other) => other.length - one.length);
  const text = title === undefined ? '' : (sections.get(title) ?? '');
  return /\bclientConnections\b/u.test(place) ? text + readPage('connections') : text;
}

const places = [...new Set(placesIn(schema, ''))];

it('has the fields of all entities', () => {
  expect(places.length).toBeGreaterThan(250);
  expect(places).toEqual(expect.arrayContaining(['source', 'actors[].users[].publicKeys[].key', 'queues[].slots']));
});

it('names each field in the section of its entity', () => {
  const unnamed = places.filter((place) => {
    const field = place.split('.').at(-1)?.replaceAll('[]', '') ?? '';
    return !new RegExp(`[\`.{ ]${field}[\`\\[.:]`, 'u').test(explanationOf(place));
  });
  expect(unnamed).toEqual([]);
});

it.each(['configuration-file', 'command-line', 'administration'])('has no row twice in a table of %s', (name) => {
  const page = readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
  const rows = page.split(/\n(?!\|)/u).flatMap((table) => {
    const cells = [...table.matchAll(/^\| (`[^|]*?`) +\|/gmu)].map(([, cell = '']) => cell);
    return cells.filter((cell, at) => cells.indexOf(cell) < at);
  });
  expect(rows).toEqual([]);
});
