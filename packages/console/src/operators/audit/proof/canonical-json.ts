import { z } from 'zod';

/** What a record of an export consists of. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [name: string]: Json };

const jsonSchema: z.ZodType<Json> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(jsonSchema),
    z.record(z.string(), jsonSchema).transform((object): Json => object),
  ]),
);

/** Reads a JSON object. @throws if it is none */
export function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return z.record(z.string(), jsonSchema).parse(value);
}

/** Canonical JSON (RFC 8785) of values whose numbers are integers. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`).join(',')}}`;
}

/** The members of an object; none of another value. */
export function membersOf(value: Json | undefined): (readonly [name: string, value: Json])[] {
  return typeof value !== 'object' || value === null || isArray(value) ? [] : Object.entries(value);
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
