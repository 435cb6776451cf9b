import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';

/**
 * A value of JSON as CEL sees it: integers are `int`, objects are maps, so that no name has a meaning of its own (`constructor`).
 * Values that CEL has no type for are absent.
 */
export function toCel(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toCel);
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  return new Map(
    Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, toCel(member)]])),
  );
}

/**
 * A result of CEL as JSON. An integer that a number cannot hold exactly is a text, a time is ISO 8601, a duration a text such as
 * `90s`. @throws Error for bytes and types, which JSON has no form for
 */
export function fromCel(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new Error('the result is not a finite number');
      return value;
    default:
      return fromObject(value);
  }
}

function fromObject(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(fromCel);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Duration) return String(value);
  if (value instanceof UnsignedInt) return fromCel(value.valueOf());
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, member]) => [nameOf(name), fromCel(member)]));
  if (isPlain(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(members.map(([name, member]) => [name, fromCel(member)]));
  }
  throw new Error('the result is not a value of JSON');
}

function nameOf(name: unknown): string {
  if (typeof name === 'string') return name;
  if (typeof name === 'bigint' || typeof name === 'number' || typeof name === 'boolean') return String(name);
  throw new Error('the names of the result are not texts');
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
