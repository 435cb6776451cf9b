import type { FieldType } from '@waybill/contracts/tasks/csv-specifications';
import { z } from 'zod';

/** Characters of a number. */
const digitsAtMost = 100;

const date = z.iso.date();
const datetime = z.iso.datetime({ offset: true, local: true });

/**
 * The text of a field as a JSON value of its type; `undefined` if it is none. Numbers keep their digits: no precision is lost
 * here.
 */
export function jsonOf(text: string, type: FieldType, decimalMark: '.' | ','): string | undefined {
  switch (type) {
    case 'text':
      return JSON.stringify(text);
    case 'integer':
      return text.includes(decimalMark) ? undefined : numberOf(text, decimalMark);
    case 'decimal':
      return numberOf(text, decimalMark);
    case 'boolean':
      return booleans.get(text.toLowerCase());
    case 'date':
      return date.safeParse(text).success ? JSON.stringify(text) : undefined;
    case 'datetime':
    default:
      return datetime.safeParse(text).success ? JSON.stringify(text) : undefined;
  }
}

const booleans: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['1', 'true'],
  ['false', 'false'],
  ['0', 'false'],
]);

const numbers = {
  '.': /^(?<sign>[+-]?)0*(?<whole>\d+)(?:\.(?<fraction>\d+))?$/u,
  ',': /^(?<sign>[+-]?)0*(?<whole>\d+)(?:,(?<fraction>\d+))?$/u,
};

function numberOf(text: string, decimalMark: '.' | ','): string | undefined {
  if (text.length > digitsAtMost) return undefined;
  const { sign, whole, fraction } = numbers[decimalMark].exec(text)?.groups ?? {};
  if (whole === undefined) return undefined;
  return `${sign === '-' ? '-' : ''}${whole}${fraction === undefined ? '' : `.${fraction}`}`;
}
