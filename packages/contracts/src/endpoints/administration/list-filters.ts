import { z } from 'zod';
import { configuredNameSchema } from '../../values/configured-names.ts';
import { type AdministeredResource, type NotedTime, objectsIn } from './resource.ts';

/** What has to be known of a kind of objects, or of parts, to filter a list of them. */
type FilteredKind = Pick<AdministeredResource, 'collection' | 'schema' | 'filters' | 'times'>;

/** How the values of a filter are written in a query. */
type FilterValues =
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice' | 'text'; readonly schema: z.ZodType<string> };

/** The parameters of a list of objects that filter by their settings. */
export function filterShape(resource: FilteredKind): Record<string, z.ZodOptional<z.ZodType<string>>> {
  const { filters = [], times = [] } = resource;
  return Object.fromEntries([
    ...filters.map(({ name, setting, or = [] }) => {
      const values = valuesOf(resource, setting);
      const schema = values.kind === 'flag' ? z.enum(['true', 'false']) : values.schema;
      const places = [setting, ...or].map((place) => `\`${place}\``).join(', ');
      const description = `Only those with this value of ${or.length === 0 ? '' : 'one of '}${places}`;
      return [name, schema.optional().describe(description)] as const;
    }),
    ...times.map(({ name, before }) => [before, beforeSchema(name).optional()] as const),
  ]);
}

function beforeSchema(name: string) {
  return z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], {
      error: 'must be a day such as 2026-01-01, or an instant with its zone such as 2026-01-01T12:00:00Z',
    })
    .describe(`Only those whose \`${name}\` is before this day (UTC) or instant, or absent`)
    .meta({ example: '2026-01-01' });
}

/** A time of objects that is to be earlier than an instant, or absent. */
export interface EarlierTime {
  readonly name: NotedTime['name'];
  readonly before: Date;
}

/** What a query demands of the times of objects. */
export function earlierTimes({ times = [] }: FilteredKind, query: Readonly<Record<string, unknown>>): EarlierTime[] {
  return times.flatMap(({ name, before }) => {
    const text = query[before];
    return typeof text === 'string' ? [{ name, before: new Date(text) }] : [];
  });
}

/** What the definition of an object has to contain: one of these. */
export interface ContainedSetting {
  readonly contains: readonly Readonly<Record<string, unknown>>[];
  /** The setting that an object may also lack, because the wanted value is its default. */
  readonly orAbsent?: string;
}

/** What a query demands of the settings of objects. */
export function containedSettings(
  resource: FilteredKind,
  query: Readonly<Record<string, unknown>>,
): ContainedSetting[] {
  return (resource.filters ?? []).flatMap(({ name, setting, or = [] }) => {
    const text = query[name];
    if (typeof text !== 'string') return [];
    const value = valuesOf(resource, setting).kind === 'flag' ? text === 'true' : text;
    const isDefault = settingsAt(resource, setting.split('.')[0] ?? '').some((leaf) => defaultOf(leaf) === value);
    const contains = [setting, ...or].map((place) => nested(place.split('.'), value));
    return [{ contains, ...(isDefault && { orAbsent: setting }) }];
  });
}

/** `{ clauses: [{ vfs: value }] }` for `clauses[].vfs`. */
function nested([first = '', ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  const inner = rest.length === 0 ? value : nested(rest, value);
  return first.endsWith('[]') ? { [first.slice(0, -2)]: [inner] } : { [first]: inner };
}

function valuesOf(resource: FilteredKind, setting: string): FilterValues {
  const leaves = settingsAt(resource, setting).map(unwrapped);
  if (leaves.length === 0) throw new Error(`${resource.collection} have no setting ${setting}`);
  if (leaves.every((leaf) => leaf instanceof z.ZodBoolean)) return { kind: 'flag' };
  const choices = leaves.map(choicesOf);
  if (choices.some((some) => some.length === 0)) return { kind: 'text', schema: configuredNameSchema };
  return { kind: 'choice', schema: z.enum([...new Set(choices.flat())]) };
}

/** The schemas of a setting, one for each variant of the objects. */
export function settingsAt({ schema }: Pick<FilteredKind, 'schema'>, setting: string): z.ZodType[] {
  return setting.split('.').reduce<z.ZodType[]>(
    (outer, part) =>
      outer.flatMap((each) => {
        const outside = unwrapped(each);
        const members =
          outside instanceof z.ZodRecord
            ? [outside.valueType]
            : objectsIn(outside).map(({ shape }): unknown => shape[part.replace('[]', '')]);
        return members.flatMap((inner) => (inner instanceof z.ZodType ? [inner] : []));
      }),
    [schema],
  );
}

/** The schema of the values, and of the items of a list. */
function unwrapped(schema: z.ZodType): z.ZodType {
  const inner: unknown =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
      ? schema.unwrap()
      : schema instanceof z.ZodArray && schema.element;
  return inner instanceof z.ZodType ? unwrapped(inner) : schema;
}

function choicesOf(schema: z.ZodType): string[] {
  const options: unknown[] = schema instanceof z.ZodEnum ? schema.options : [];
  const literals: unknown[] = schema instanceof z.ZodLiteral ? [...schema.values] : [];
  return [...options, ...literals].filter((option) => typeof option === 'string');
}

/** The value of a setting that is absent. */
export function defaultOf(schema: z.ZodType): unknown {
  return schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
}
