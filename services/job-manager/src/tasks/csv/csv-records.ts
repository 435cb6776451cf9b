import { CsvError, parse } from 'csv-parse';
import type { CsvFormat } from './csv-order.ts';

/** A file that is no CSV file from a line on. */
export class CsvFault extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = 'CsvFault';
    this.line = line;
  }
}

/** Takes a record with the number of the line where it begins. What it throws ends the reading. */
export type TakeRecord = (fields: readonly string[], line: number) => void;

/** Bytes that are parsed before `readRecords` yields. What is made of them is in memory at once. */
const pieceBytes = 16 * 1024;

/**
 * Reads the records of a file, and yields after each small piece of it, so that the caller can pass on what it has made.
 * Empty lines are passed over. @throws CsvFault for what is no CSV, no UTF-8, or beyond the limits
 */
export async function* readRecords(
  input: AsyncIterable<Uint8Array>,
  format: CsvFormat,
  take: TakeRecord,
): AsyncGenerator<void> {
  const parser = openParser(format, take);
  for await (const chunk of input) {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      await parser.write(chunk.subarray(start, start + pieceBytes));
      yield;
    }
  }
  await parser.end();
  yield;
}

function openParser(format: CsvFormat, take: TakeRecord) {
  const { fieldBytesAtMost, recordBytesAtMost } = format;
  const place = createPlace(recordBytesAtMost);
  const checkCharset = utf8Check(() => place.line);
  const parser = parse({
    ...optionsOf(format),
    on_record: (fields: string[], { bytes, empty_lines: emptyLines }) => {
      const line = place.pass(fields, { bytes, emptyLines });
      const long = fields.findIndex((field) => isLonger(field, fieldBytesAtMost));
      if (long !== -1) throw new CsvFault(line, `field ${long + 1} has more than ${fieldBytesAtMost} bytes`);
      take(fields, line);
      return null;
    },
  });
  // Errors are those of `write` and `end`.
  parser.on('error', () => {});
  parser.resume();

  const settle = async (begin: (done: (error?: Error | null) => void) => void): Promise<void> => {
    try {
      await new Promise<void>((resolve, reject) => begin((error) => (error ? reject(error) : resolve())));
    } catch (error) {
      throw error instanceof CsvError ? new CsvFault(place.line, reasonOf(error, recordBytesAtMost)) : error;
    }
  };
  return {
    write: async (piece: Uint8Array): Promise<void> => {
      checkCharset(piece);
      await settle((done) => void parser.write(piece, done));
      const { bytes, empty_lines: emptyLines } = parser.info;
      place.check({ bytes, emptyLines });
    },
    end: async (): Promise<void> => {
      checkCharset();
      await settle((done) => void parser.once('error', done).end(() => done()));
    },
  };
}

function optionsOf({ delimiter, quote, trim, recordBytesAtMost }: CsvFormat) {
  return {
    bom: true,
    delimiter: delimiter === 'tab' ? '\t' : delimiter,
    quote: quote === 'none' ? null : quote,
    escape: quote === 'none' ? null : quote,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    trim,
    max_record_size: recordBytesAtMost,
  };
}

/** Checks the next bytes of a text, or its end. */
function utf8Check(line: () => number): (piece?: Uint8Array) => void {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (piece) => {
    try {
      if (piece) decoder.decode(piece, { stream: true });
      else decoder.decode();
    } catch {
      throw new CsvFault(line(), 'here or in the next lines are bytes that are not UTF-8; see `convert-charset`');
    }
  };
}

interface Progress {
  readonly bytes: number;
  readonly emptyLines: number;
}

/**
 * Counts lines: those of the library count CR LF inside quotes twice. And it limits records: the library limits the bytes of
 * their fields, and not how many empty fields there are.
 */
function createPlace(recordBytesAtMost: number) {
  let [line, emptyBefore, begin, emptySeen] = [1, 0, 0, 0];
  return {
    /** The line where the next record begins. */
    get line(): number {
      return line;
    },
    pass: (fields: readonly string[], { bytes, emptyLines }: Progress): number => {
      const own = line + emptyLines - emptyBefore;
      line = own + 1;
      for (const field of fields) if (/[\r\n]/u.test(field)) line += field.match(/\r\n|\r|\n/gu)?.length ?? 0;
      [emptyBefore, begin] = [emptyLines, bytes];
      return own;
    },
    check: ({ bytes, emptyLines }: Progress): void => {
      // No record contains an empty line outside of quotes.
      if (emptyLines !== emptySeen) [emptySeen, begin] = [emptyLines, bytes];
      else if (bytes - begin > recordBytesAtMost) throw new CsvFault(line, tooLong(recordBytesAtMost));
    },
  };
}

function isLonger(field: string, bytes: number): boolean {
  // A character has at most three bytes for each unit of UTF-16.
  return field.length * 3 > bytes && Buffer.byteLength(field) > bytes;
}

function tooLong(bytes: number): string {
  return `the record has more than ${bytes} bytes: is a quote missing, or does the file have another delimiter?`;
}

function reasonOf({ code, message }: CsvError, recordBytesAtMost: number): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quoted field of the record does not end';
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE':
      return 'something other than a delimiter follows a quoted field of the record';
    case 'INVALID_OPENING_QUOTE':
      return 'a field of the record that does not begin with a quote contains one';
    case 'CSV_MAX_RECORD_SIZE':
      return tooLong(recordBytesAtMost);
    default:
      return message;
  }
}
