import { z } from 'zod';

type Json = Readonly<Record<string, unknown>>;

/**
 * What a merge patch (RFC 7396) has made of a value, with null where the patch removes a member that values of the schema do not have:
 * the schema then finds it, as any unknown member.
 */
export function withUnknownRemovals(schema: z.ZodType, patch: Json, merged: Json): Json {
  const options = optionsOf(schema, merged);
  const result = new Map(Object.entries(merged));
  for (const [name, value] of Object.entries(patch)) {
    const members = options.flatMap((option) => memberOf(option, name) ?? []);
    const present = result.get(name);
    if (value === null && options.length > 0 && members.length === 0) result.set(name, null);
    else if (isObject(value) && isObject(present)) {
      const [first, ...others] = members;
      if (first) result.set(name, withUnknownRemovals(z.union([first, ...others]), value, present));
    }
  }
  return Object.fromEntries(result);
}

type Option = z.ZodObject | z.ZodRecord;

/** The kinds of objects that a value may be, by the schema of any values. */
export function optionsOf(schema: z.ZodType, value: Json): Option[] {
  if (schema instanceof z.ZodObject) return isMeant(schema, value) ? [schema] : [];
  if (schema instanceof z.ZodRecord) return [schema];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => optionsOfUnknown(option, value));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return optionsOfUnknown(schema.unwrap(), value);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return optionsOfUnknown(schema.unwrap(), value);
  return [];
}

function optionsOfUnknown(schema: unknown, value: Json): Option[] {
  return schema instanceof z.ZodType ? optionsOf(schema, value) : [];
}

/** Whether the members that have one value only have it. */
function isMeant({ shape }: z.ZodObject, value: Json): boolean {
  return Object.entries(shape).every(
    ([name, member]) => !(member instanceof z.ZodLiteral) || !(name in value) || member.safeParse(value[name]).success,
  );
}

function memberOf(option: Option, name: string): z.ZodType | undefined {
  if (option instanceof z.ZodRecord) return option.valueType instanceof z.ZodType ? option.valueType : z.unknown();
  const member: unknown = Object.hasOwn(option.shape, name) ? option.shape[name] : undefined;
  return member instanceof z.ZodType ? member : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
