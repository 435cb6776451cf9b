import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Transformation } from '../../domain/workflows/computation.ts';
import { columnsByHeader, columnsByPlace, type FileColumns, widthFault } from './columns-of-file.ts';
import type { CsvConversion, CsvFormat } from './csv-order.ts';
import { CsvFault, readRecords } from './csv-records.ts';
import { jsonOf } from './field-values.ts';

type Column = NonNullable<CsvConversion['columns']>[number];
/** The JSON of the fields of one record. */
type WriteRecord = (fields: readonly string[], line: number) => string;

/** Makes JSON of a file. The first error ends it. */
export function convertRecords(order: CsvConversion, input: AsyncIterable<Uint8Array>): Transformation {
  const { format, as } = order;
  let [rows, text]: [number, string] = [0, as === 'array' ? '[' : ''];
  let write: WriteRecord | undefined;
  const take = (fields: readonly string[], line: number): void => {
    if (!write && format.header) {
      write = recordWriter(order, columnsOf(order, fields, line));
      return;
    }
    write ??= recordWriter(order, columnsByPlace(fields, order.columns));
    const json = write(fields, line);
    if (as === 'ndjson') text += `${json}\n`;
    else text += rows === 0 ? `\n${json}` : `,\n${json}`;
    rows += 1;
  };
  const written = (): Uint8Array => {
    const bytes = Buffer.from(text);
    text = '';
    return bytes;
  };
  const output = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const _piece of readRecords(input, format, take)) yield written();
      if (format.header && !write) throw new CsvFault(1, 'there is no header');
    } catch (error) {
      if (!(error instanceof CsvFault)) throw error;
      throw new CodedError('validation_failed', { detail: `line ${error.line}: ${error.message}` });
    }
    if (as === 'array') text += rows === 0 ? ']\n' : '\n]\n';
    yield written();
  };
  return { output: output(), result: () => Promise.resolve({ rows: String(rows) }) };
}

function columnsOf(order: CsvConversion, header: readonly string[], line: number): FileColumns<Column> {
  const columns = columnsByHeader(header, order.columns, order.otherColumns === 'fail');
  const [fault] = columns.faults;
  if (fault !== undefined) throw new CsvFault(line, fault);
  return columns;
}

function recordWriter(order: CsvConversion, { columns, width }: FileColumns<Column>): WriteRecord {
  const drops = order.columns !== undefined && order.otherColumns === 'drop';
  const fields = columns
    .filter(({ column }) => column !== undefined || !drops)
    .map(({ index, name, column }) => ({ index, name, key: `${JSON.stringify(column?.as ?? name)}:`, column }));
  assertDistinct(fields.map(({ key }) => key));
  return (record, line) => {
    const fault = widthFault(record, width);
    if (fault !== undefined) throw new CsvFault(line, fault);
    let json = '{';
    for (const { index, name, key, column } of fields) {
      const value = valueOf(record[index] ?? '', column, order.format);
      if (typeof value === 'object') throw new CsvFault(line, `column ${JSON.stringify(name)}: ${value.fault}`);
      json += `${json === '{' ? '' : ','}${key}${value}`;
    }
    return `${json}}`;
  };
}

function assertDistinct(keys: readonly string[]): void {
  if (new Set(keys).size < keys.length) throw new CsvFault(1, 'two columns have the same name in the objects');
}

function valueOf(
  text: string,
  column: Column | undefined,
  { decimalMark }: CsvFormat,
): string | { readonly fault: string } {
  if (column?.required && text === '') return { fault: 'is empty' };
  if (!column || column.type === 'text') return JSON.stringify(text);
  if (text === '') return 'null';
  // A value may be anything: messages do not repeat all of it.
  return (
    jsonOf(text, column.type, decimalMark) ?? { fault: `${JSON.stringify(text.slice(0, 60))} is no ${column.type}` }
  );
}
