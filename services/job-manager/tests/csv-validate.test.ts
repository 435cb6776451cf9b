import { Readable } from 'node:stream';
import { csvFormatShape } from '@waybill/contracts/tasks/csv-specifications';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { csvOrder } from '../src/tasks/csv/csv-order.ts';
import { DigestSet } from '../src/tasks/csv/digest-set.ts';
import { openThreadLane } from '../src/worker/lanes/thread-lane.ts';
import { type FileTaskRig, openFileTaskRig } from './file-task-rig.ts';

let rig: FileTaskRig;

beforeAll(async () => {
  rig = await openFileTaskRig();
});
afterAll(() => rig?.[Symbol.asyncDispose]());

type Given = Readonly<Record<string, unknown>>;

const columns = [
  { name: 'id', type: 'integer', required: true, unique: true },
  { name: 'paid', type: 'decimal' },
  { name: 'on', type: 'date' },
  { name: 'state', values: ['open', 'closed'], maxLength: 4 },
];

async function validate(text: string | Buffer, given: Given = {}): Promise<Record<string, unknown>> {
  await rig.deliver('/inbox/a', text);
  return await rig.run('csv-validate', { source: '/inbox/a', onErrors: 'continue', ...given });
}

describe('the task csv-validate', () => {
  it('accepts what RFC 4180 has: quotes, line ends in fields, CR LF, a byte order mark and no last line end', async () => {
    const text = '\ufeffid,paid,on,state\r\n1,"-3.50",2026-03-02,open\r\n"2",,,"open"\r\n3,1,,';
    expect(await validate(text, { columns })).toEqual({
      valid: true,
      rows: '3',
      errorCount: '0',
      complete: true,
      errors: [],
    });
  });

  it('reports all errors with the lines where their records begin, and the report has them, too', async () => {
    const lines = ['on,state,id,paid', '2026-02-30,open,1,x', '', '"2026-03-02","a\r\nb\nc",,1.5', ',,1,"1,5"', ',,2'];
    const report = '/outbox/errors';
    const outputs = await validate(lines.join('\n'), { columns, report });
    expect(outputs).toMatchObject({ valid: false, rows: '4', errorCount: '8', complete: true, path: report });
    expect(outputs['errors']).toEqual([
      'line 2, column "on": "2026-02-30" is no date',
      'line 2, column "paid": "x" is no decimal',
      'line 4, column "state": "a\\r\\nb\\nc" is no permitted value',
      'line 4, column "state": "a\\r\\nb\\nc" has more than 4 characters',
      'line 4, column "id": is empty',
      'line 7, column "id": "1" occurs before',
      'line 7, column "paid": "1,5" is no decimal',
      'line 8: the record has 3 fields, and 4 are expected',
    ]);
    const entries = ((await rig.read(report)) ?? '').trimEnd().split('\n');
    expect(entries.map((entry): unknown => JSON.parse(entry)).at(4)).toEqual({
      line: 4,
      column: 'id',
      message: 'is empty',
    });
    expect(entries).toHaveLength(8);
  });

  it('fails with the first errors, after it has written the report', async () => {
    const failing = validate('id\nx\n', {
      columns: [{ name: 'id', type: 'integer' }],
      onErrors: 'fail',
      report: '/outbox/r',
    });
    await expect(failing).rejects.toMatchObject({
      code: 'validation_failed',
      message: '/inbox/a has 1 error: line 2, column "id": "x" is no integer',
    });
    expect(await rig.read('/outbox/r')).toContain('is no integer');
  });

  it.each([
    ['', 'line 1: there is no header'],
    ['a,a\n', 'line 1: the column "a" occurs twice'],
    ['a,,b\n', 'line 1: the name of column 2 is empty'],
    [`${'x'.repeat(600)}\n`, 'line 1: the name of column 1 has more than 512 characters'],
    ['a,b\n1,"x\n2,y\n', 'line 2: a quoted field of the record does not end'],
    ['a,b\n"1\n\n",2\n1,"x"y\n2,y\n', 'line 5: something other than a delimiter follows'],
    ['a,b\n1,x"y"\n', 'line 2: a field of the record that does not begin with a quote contains one'],
    [Buffer.from([0x61, 0x0a, 0xff, 0x0a]), 'bytes that are not UTF-8'],
    [Buffer.from('\ufeffa,b\n', 'utf16le'), 'bytes that are not UTF-8'],
    [Buffer.from([0x61, 0x0a, 0xc3]), 'bytes that are not UTF-8'],
  ])('finds what is no CSV file: %#', async (text, message) => {
    const outputs = await validate(text);
    expect(outputs).toMatchObject({ valid: false });
    expect(String(outputs['errors'])).toContain(message);
  });

  it('compares the header with the columns', async () => {
    const wanted = [{ name: 'a' }, { name: 'b' }];
    expect(await validate('c,a\n', { columns: wanted })).toMatchObject({
      errors: ['line 1: the column "c" is not expected', 'line 1: the column "b" is missing'],
    });
    expect(await validate('c,b,a\n', { columns: wanted, otherColumns: 'allow' })).toMatchObject({ valid: true });
  });

  it('takes other delimiters, quotes and decimal marks, and files without a header', async () => {
    const given = { delimiter: ';', quote: "'", decimalMark: ',', header: false, trim: true };
    const types = [
      { name: 'a', type: 'decimal' },
      { name: 'b', type: 'boolean' },
    ];
    expect(await validate("-1,5 ; 'true'\n2;0\n", { ...given, columns: types })).toMatchObject({
      valid: true,
      rows: '2',
    });
    expect(await validate('a\tb\n"\t1\n', { delimiter: 'tab', quote: 'none' })).toMatchObject({
      valid: true,
      rows: '1',
    });
    await expect(validate('', { delimiter: 'x' })).rejects.toThrow('must be one character');
    await expect(validate('', { delimiter: ';', quote: ';' })).rejects.toThrow('is the delimiter');
  });

  it('stops at the limit of errors', async () => {
    const text = `a\n${'x\n'.repeat(5_000)}`;
    const given = { columns: [{ name: 'a', type: 'integer' }], errorsAtMost: 30, report: '/outbox/r' };
    const outputs = await validate(text, given);
    expect(outputs).toMatchObject({ errorCount: '30', rows: '30', complete: false });
    expect(outputs['errors']).toHaveLength(20);
    expect((await rig.read('/outbox/r'))?.split('\n')).toHaveLength(31);
  });

  it('shows a long value, or one with control characters, without harm', async () => {
    const value = `\0\u001b[31m${'\u{1f600}'.repeat(2_000)}`;
    const outputs = await validate(`a\n${value}\n`, { columns: [{ name: 'a', type: 'integer' }] });
    const shown = String(outputs['errors']);
    expect(shown).toContain('line 2, column "a": "\\u0000\\u001b[31m');
    expect(shown.length).toBeLessThan(200);
  });

  it.each([
    ['an endless quoted field', 'a\n"', 'xxxxxxx\n'],
    ['an endless record of empty fields', 'a\n', ',,,,,,,,'],
    ['an endless record of quotes', 'a\n', '"",'],
    ['an endless field', 'a\n', 'xxxxxxxx'],
  ])('refuses %s where the limit is, and not later', async (_what, begin, endless) => {
    const text = `${begin}${endless.repeat(300_000)}`;
    expect(await validate(text, { recordBytesAtMost: 65_536 })).toMatchObject({
      complete: false,
      errors: [expect.stringContaining('line 2: the record has more than 65536 bytes')],
    });
  });

  it('limits fields, and lets any number of empty lines pass', async () => {
    expect(await validate(`a,b\n1,${'ü'.repeat(51)}\n`, { fieldBytesAtMost: 100 })).toMatchObject({
      errors: ['line 2: field 2 has more than 100 bytes'],
    });
    const text = `a\n${'\n'.repeat(200_000)}x\n`;
    const given = { columns: [{ name: 'a', type: 'integer' }], recordBytesAtMost: 100 };
    expect(await validate(text, given)).toMatchObject({ errors: ['line 200002, column "a": "x" is no integer'] });
  });
});

it('reads a file of any size with the memory of a small one', async () => {
  const size = 96 * 1024 * 1024;
  const chunk = Buffer.from('12345,"a text, with a comma",2026-03-02,12.50\n'.repeat(1_400));
  const count = Math.ceil(size / chunk.length);
  await using lane = openThreadLane();
  let most = 0;
  const before = process.memoryUsage().arrayBuffers;
  function* content() {
    yield Buffer.from('id,text,date,amount\n');
    for (let at = 0; at < count; at += 1) {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      yield chunk;
    }
  }
  const format = z.object(csvFormatShape).parse({});
  const order = csvOrder(
    {
      do: 'validate',
      format,
      columns: [{ name: 'amount', type: 'decimal', required: true, unique: false }],
      otherColumns: 'allow',
      errorsAtMost: 1,
    },
    Readable.from(content()),
  );
  const result = await lane.compute(order, new AbortController().signal);
  expect(result).toMatchObject({ rows: String(count * 1_400), errorCount: '0', complete: 'true' });
  expect(most).toBeLessThan(size / 2);
});

it('unique values keep what they have while there are more of them, whatever the texts are', () => {
  const set = new DigestSet();
  const texts = ['', '\0', 'x'.repeat(100_000), ...Array.from({ length: 40_000 }, (_, index) => `value ${index}`)];
  expect(texts.every((text) => set.add(text))).toBe(true);
  expect(texts.some((text) => set.add(text))).toBe(false);
  expect(set.size).toBe(texts.length);
});
