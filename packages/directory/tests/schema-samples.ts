import { z } from 'zod';

/** What samples of some members are, by their places (`users.publicKeys.key`) or names (`vfs`): the others come from the schema. */
export interface SampleRules {
  readonly values: Readonly<Record<string, readonly unknown[]>>;
  /** Which of the samples of an object lack a member that others have: `user` beside `group`. */
  readonly absent: Readonly<Record<string, readonly number[]>>;
}

/**
 * Values of a schema that together have each of its members, with other values than the defaults.
 * @throws Error for a member of which no sample can be made without a rule
 */
export function samplesOf(schema: z.ZodType, rules: SampleRules, place: string): readonly unknown[] {
  const ruled = ruleAt(rules.values, place);
  if (ruled !== undefined) return ruled;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return samplesOf(inner(schema), rules, place);
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodNonOptional)
    return samplesOf(inner(schema), rules, place);
  if (schema instanceof z.ZodDefault) return othersThan(schema.def.defaultValue, inner(schema), rules, place);
  if (schema instanceof z.ZodObject) return objectsOf(schema, rules, place);
  if (schema instanceof z.ZodArray) return [arrayOf(samplesOf(typeIn(schema.element), rules, place))];
  if (schema instanceof z.ZodDiscriminatedUnion || schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => samplesOf(typeIn(option), rules, placeOfOption(option, place)));
  }
  if (schema instanceof z.ZodPipe) {
    const { in: given, out } = schema.def;
    return samplesOf(typeIn(given instanceof z.ZodTransform ? out : given), rules, place);
  }
  if (schema instanceof z.ZodEnum) return [schema.options.at(-1)];
  if (schema instanceof z.ZodLiteral) return [schema.value];
  if (schema instanceof z.ZodRecord) return [{ sample: samplesOf(typeIn(schema.valueType), rules, place)[0] }];
  return [simple(schema, place)];
}

function objectsOf(schema: z.ZodObject, rules: SampleRules, place: string): readonly object[] {
  const members = Object.entries(schema.shape).map(([name, member]) => {
    const at = `${place}.${name}`;
    return { name, samples: samplesOf(typeIn(member), rules, at), absent: ruleAt(rules.absent, at) ?? [] };
  });
  const count = Math.max(
    ...members.map(({ samples, absent }) => Math.max(samples.length, ...absent.map((at) => Math.max(at + 1, 2)))),
  );
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(
      members
        .filter(({ samples, absent }) => samples.length > 0 && !absent.includes(index))
        .map(({ name, samples }) => [name, samples[index % samples.length]]),
    ),
  );
}

/** Names in a list are unique. */
function arrayOf(samples: readonly unknown[]): unknown[] {
  return samples.map((sample, index) =>
    typeof sample === 'object' && sample !== null && 'name' in sample ? { ...sample, name: `n${index}` } : sample,
  );
}

function othersThan(value: unknown, schema: z.ZodType, rules: SampleRules, place: string): readonly unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (schema instanceof z.ZodEnum) return schema.options.filter((option) => option !== value).slice(0, 1);
  if (typeof value !== 'number') return samplesOf(schema, rules, place);
  return [[value + 1, value - 1].find((other) => schema.safeParse(other).success) ?? value];
}

function simple(schema: z.ZodType, place: string): unknown {
  const found = ['sample', 1, 7, 60, true, ['json']].find((value) => schema.safeParse(value).success);
  if (found === undefined) throw new Error(`no sample of ${place}: add a rule`);
  return found;
}

/** `client-connections(sftp)` for the option of a union. */
function placeOfOption(option: unknown, place: string): string {
  const type = option instanceof z.ZodObject ? option.shape['type'] : undefined;
  return type instanceof z.ZodLiteral ? `${place}(${String(type.value)})` : place;
}

function ruleAt<Rule>(rules: Readonly<Record<string, Rule>>, place: string): Rule | undefined {
  return rules[place] ?? rules[place.slice(place.lastIndexOf('.') + 1)];
}

function inner(schema: z.ZodOptional | z.ZodNullable | z.ZodNonOptional | z.ZodDefault | z.ZodPrefault): z.ZodType {
  return typeIn(schema.unwrap());
}

function typeIn(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new Error('not a schema');
}
