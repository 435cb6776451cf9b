import type { Transformation } from '../../domain/workflows/computation.ts';
import { columnsByHeader, columnsByPlace, type FileColumns, type PlacedColumn, widthFault } from './columns-of-file.ts';
import type { CsvValidation } from './csv-order.ts';
import { CsvFault, readRecords } from './csv-records.ts';
import { DigestSet } from './digest-set.ts';
import { jsonOf } from './field-values.ts';

/** Values of unique columns, all columns together: 16 bytes each, in a table that is at least half empty. */
const uniqueValuesAtMost = 2_000_000;

/** Errors that become outputs. */
const listedAtMost = 20;

type Column = NonNullable<CsvValidation['columns']>[number];
type Report = (line: number, message: string, column?: string) => void;
type CheckField = (text: string, line: number, report: Report) => void;

/** Ends the reading. */
class EnoughErrors extends Error {}

/** Checks a file. The output is a report with one JSON object for each error. */
export function validateRecords(order: CsvValidation, input: AsyncIterable<Uint8Array>): Transformation {
  const found = { rows: 0, errorCount: 0, complete: true, listed: [] as string[] };
  let lines: string[] = [];
  const report: Report = (line, message, column) => {
    lines.push(`${JSON.stringify({ line, ...(column !== undefined && { column }), message })}\n`);
    if (found.listed.length < listedAtMost) found.listed.push(described(line, message, column));
    found.errorCount += 1;
    if (found.errorCount >= order.errorsAtMost) throw new EnoughErrors();
  };
  const takeRecord = recordChecker(order, report, () => (found.rows += 1));
  const written = (): Uint8Array => {
    const text = lines.join('');
    lines = [];
    return Buffer.from(text);
  };
  const output = async function* (): AsyncGenerator<Uint8Array> {
    try {
      try {
        for await (const _piece of readRecords(input, order.format, takeRecord)) if (lines.length > 0) yield written();
        if (order.format.header && !takeRecord.hasHeader()) report(1, 'there is no header');
      } catch (error) {
        if (!(error instanceof CsvFault)) throw error;
        found.complete = false;
        report(error.line, error.message);
      }
    } catch (error) {
      if (!(error instanceof EnoughErrors)) throw error;
      found.complete = false;
    }
    yield written();
  };
  const result = () =>
    Promise.resolve({
      rows: String(found.rows),
      errorCount: String(found.errorCount),
      complete: String(found.complete),
      errors: JSON.stringify(found.listed),
    });
  return { output: output(), result };
}

function recordChecker({ format, columns: wanted, otherColumns }: CsvValidation, report: Report, count: () => void) {
  let known: (FileColumns<Column> & { readonly checks: readonly [PlacedColumn<Column>, CheckField][] }) | undefined;
  const uniques = { size: 0 };
  const know = (columns: FileColumns<Column>) => {
    const checks = columns.columns.flatMap((placed): [PlacedColumn<Column>, CheckField][] =>
      placed.column ? [[placed, fieldCheck(placed.column, format.decimalMark, uniques)]] : [],
    );
    known = { ...columns, checks };
    return known;
  };
  const take = (fields: readonly string[], line: number): void => {
    if (!known && format.header) {
      const { faults } = know(columnsByHeader(fields, wanted, otherColumns === 'fail'));
      for (const fault of faults) report(line, fault);
      return;
    }
    const { width, checks } = known ?? know(columnsByPlace(fields, wanted));
    count();
    const fault = widthFault(fields, width);
    if (fault !== undefined) return report(line, fault);
    for (const [{ index }, check] of checks) check(fields[index] ?? '', line, report);
  };
  return Object.assign(take, { hasHeader: () => known !== undefined });
}

function fieldCheck(column: Column, decimalMark: '.' | ',', uniques: { size: number }): CheckField {
  const { name, type, required, unique, maxLength } = column;
  const values = column.values && new Set(column.values);
  const seen = new DigestSet();
  return (text, line, report) => {
    if (text === '') {
      if (required) report(line, 'is empty', name);
      return;
    }
    if (type !== 'text' && jsonOf(text, type, decimalMark) === undefined) {
      report(line, `${shown(text)} is no ${type}`, name);
    }
    if (values && !values.has(text)) report(line, `${shown(text)} is no permitted value`, name);
    // A character has at most two units of UTF-16.
    if (maxLength !== undefined && text.length > maxLength && Array.from(text).length > maxLength) {
      report(line, `${shown(text)} has more than ${maxLength} characters`, name);
    }
    if (!unique) return;
    if (!seen.add(text)) return report(line, `${shown(text)} occurs before`, name);
    uniques.size += 1;
    if (uniques.size > uniqueValuesAtMost) {
      throw new CsvFault(line, `the unique columns have more than ${uniqueValuesAtMost} values`);
    }
  };
}

/** A value for a message: short, and without control characters. */
function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text);
}

function described(line: number, message: string, column: string | undefined): string {
  return `line ${line}${column === undefined ? '' : `, column ${JSON.stringify(column)}`}: ${message}`;
}
