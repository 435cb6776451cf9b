import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { filesDocument } from './document-handlers.ts';

interface Field {
  readonly where: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Parameters, headers, and the properties of every object, anywhere in the document. */
function fieldsIn(value: unknown, where: string): Field[] {
  if (!isObject(value)) return [];
  const named = ['properties', 'headers'].flatMap((key) => {
    const fields = value[key];
    return isObject(fields)
      ? Object.entries(fields).map(([name, schema]) => ({ where: `${where}.${name}`, schema }))
      : [];
  });
  const parameters = Array.isArray(value['parameters'])
    ? value['parameters'].map((schema: unknown, index) => ({ where: `${where}.parameters.${index}`, schema }))
    : [];
  const own = [...named, ...parameters].filter((field): field is Field => isObject(field.schema));
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => fieldsIn(inner, `${where}.${key}`))];
}

/** The schema has an example, or the schemas that it consists of have. */
function hasExample({ schema }: Field): boolean {
  const { schema: inner, items, $ref, properties } = schema;
  if (['example', 'examples', 'const'].some((key) => key in schema)) return true;
  if ($ref !== undefined || properties !== undefined) return true;
  return [inner, items].filter(isObject).some((part) => hasExample({ where: '', schema: part }));
}

test('every field of the interface has an example and a description', () => {
  const fields = fieldsIn(filesDocument(), '');
  expect(fields.length).toBeGreaterThan(100);
  expect(fields.filter((field) => !hasExample(field)).map(({ where }) => where)).toEqual([]);
  const isDescribed = ({ schema }: Field) => schema['description'] !== undefined || schema['$ref'] !== undefined;
  expect(fields.filter((field) => !isDescribed(field)).map(({ where }) => where)).toEqual([]);
});

test('the served document is the one in the documentation', async () => {
  const documented = await readFile(new URL('../../../../../docs/openapi/files.json', import.meta.url), 'utf8');
  expect(JSON.parse(JSON.stringify(filesDocument()))).toEqual(JSON.parse(documented));
});
