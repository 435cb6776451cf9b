/**
 * A value as a parameter of a statement: PostgreSQL's text format, or bytes. Absent values are null; objects are JSON.
 */
export function parameterText(value: unknown): string | Buffer | null {
  if (value === undefined || value === null) return null;
  if (Buffer.isBuffer(value)) return value;
  if (value instanceof Date) return timestampText(value);
  if (Array.isArray(value)) return `{${value.map(elementText).join(',')}}`;
  if (typeof value === 'object') return JSON.stringify(value);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  throw new TypeError(`a ${typeof value} cannot be a parameter of a statement`);
}

/** PostgreSQL's years have more than the four digits of ISO 8601. @throws RangeError for an invalid time */
function timestampText(at: Date): string {
  const afterYear = at.toISOString().slice(-'-01-01T00:00:00.000Z'.length);
  const year = at.getUTCFullYear();
  const yearOfEra = String(year > 0 ? year : 1 - year).padStart(4, '0');
  return `${yearOfEra}${afterYear}${year > 0 ? '' : ' BC'}`;
}

function elementText(element: unknown): string {
  if (Array.isArray(element)) return String(parameterText(element));
  const text = parameterText(element);
  if (text === null) return 'NULL';
  const quotable = typeof text === 'string' ? text : `\\x${text.toString('hex')}`;
  return `"${quotable.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
