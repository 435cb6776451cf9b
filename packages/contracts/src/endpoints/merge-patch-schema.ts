import { z } from 'zod';

/**
 * A JSON merge patch (RFC 7396) of a value: every member may be absent, null removes one that may be absent in the value, and lists are
 * replaced as a whole.
 */
export type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? string extends keyof T
      ? { readonly [K in keyof T]: MergePatch<T[K]> | null }
      : { readonly [K in keyof T]?: MergePatch<T[K]> | (undefined extends T[K] ? null : undefined) }
    : T;

/**
 * JSON merge patches (RFC 7396) of the values of a schema: every member may be absent, and is null to remove what may be absent in a
 * value. `kept` are members of the value itself that cannot be removed all the same. Lists are replaced as a whole. What a patch makes of a value
 * has to be valid, and is checked by who applies it: rules between members are not part of this schema.
 */
export function mergePatchSchema(schema: z.ZodType, kept: ReadonlySet<string> = new Set()): z.ZodType {
  if (schema instanceof z.ZodObject) return objectPatchSchema(schema, kept);
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.filter((option) => option instanceof z.ZodType);
    return z.union(options.map((option) => mergePatchSchema(option, kept)));
  }
  if (schema instanceof z.ZodRecord && schema.valueType instanceof z.ZodType) {
    return z.record(z.string(), mergePatchSchema(schema.valueType).nullable());
  }
  return schema;
}

function objectPatchSchema({ shape }: z.ZodObject, kept: ReadonlySet<string>): z.ZodType {
  const members = Object.entries(shape).flatMap(([name, member]) =>
    member instanceof z.ZodType ? [[name, memberPatchSchema(member, !kept.has(name))] as const] : [],
  );
  return z.strictObject(Object.fromEntries(members));
}

function memberPatchSchema(member: z.ZodType, isRemovable: boolean): z.ZodType {
  const value = withoutDefault(member);
  const patch = mergePatchSchema(value);
  const { id: _id, ...described } = { ...value.meta(), ...member.meta() };
  return (isRemovable && value !== member ? patch.nullable() : patch).optional().meta(described);
}

/** The schema of the values of a member that may be absent; otherwise the same. */
function withoutDefault(member: z.ZodType): z.ZodType {
  if (!(member instanceof z.ZodOptional || member instanceof z.ZodDefault || member instanceof z.ZodPrefault)) {
    return member;
  }
  const inner: unknown = member.unwrap();
  return inner instanceof z.ZodType ? withoutDefault(inner) : member;
}
