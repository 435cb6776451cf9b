import { suggestion } from '@waybill/contracts/errors/nearest-name';

/** The type of what expressions can name. */
export type ScopeType =
  | {
      readonly kind: 'object';
      readonly fields: Readonly<Record<string, ScopeType>>;
      /** Why a name is not among the fields, for some names. */
      readonly absent?: Readonly<Record<string, string>>;
      /** Why all other names are not. */
      readonly otherwise?: string;
      /** Its type in CEL; by default one with these fields and no others. */
      readonly type?: string;
    }
  /** A value of a type of CEL; `dyn` has any members. */
  | { readonly kind: 'value'; readonly type: string };

/** A value of a type of CEL. */
export function valueOf(type: string): ScopeType {
  return { kind: 'value', type };
}

/** An object with these fields and no others. */
export function objectOf(
  fields: Readonly<Record<string, ScopeType>>,
  absent: Readonly<Record<string, string>> = {},
): ScopeType {
  return { kind: 'object', fields, absent };
}

/** Any value of JSON. */
export const anything = valueOf('dyn');

/** The type at the end of a path of names, or why there is none. */
export function resolveNames(root: ScopeType, names: readonly string[]): { type: ScopeType } | { fault: string } {
  let type = root;
  for (const [index, name] of names.entries()) {
    if (type.kind === 'value') {
      if (type.type === 'dyn' || type.type.startsWith('map')) return { type: anything };
      return { fault: `${names.slice(0, index).join('.')} is ${describeType(type.type)} and has no ${name}` };
    }
    const field: ScopeType | undefined = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    if (!field) return { fault: absenceOf(names.slice(0, index + 1), type) };
    type = field;
  }
  return { type };
}

function absenceOf(
  names: readonly string[],
  { fields, absent = {}, otherwise }: Extract<ScopeType, { kind: 'object' }>,
): string {
  const name = names.at(-1) ?? '';
  const reason = Object.hasOwn(absent, name) ? absent[name] : otherwise;
  const known = Object.keys(fields);
  const list = known.length > 0 && known.length <= 12 && reason === undefined ? `; known are ${known.join(', ')}` : '';
  const why = reason === undefined ? '' : `: ${reason}`;
  return `there is no ${names.join('.')}${why}${suggestion(name, known) || list}`;
}

/** The type of JSON that a type of CEL becomes; `undefined`: any. */
export function jsonTypeOf(type: string): string | undefined {
  if (type === 'string' || type.startsWith('google.protobuf.')) return 'string';
  if (type === 'int' || type === 'uint') return 'integer';
  if (type === 'double') return 'number';
  if (type === 'bool') return 'boolean';
  if (type === 'null' || type === 'null_type') return 'null';
  if (type.startsWith('list')) return 'array';
  return type.startsWith('map') || type.startsWith('$') ? 'object' : undefined;
}

const words: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  null: 'null',
};

/** A type of CEL in words. */
export function describeType(type: string): string {
  return describeJsonType(jsonTypeOf(type) ?? type);
}

/** A type of JSON in words. */
export function describeJsonType(type: string): string {
  return words[type] ?? type;
}
