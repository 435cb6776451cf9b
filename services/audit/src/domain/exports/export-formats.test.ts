import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf, someEvents } from '../../../tests/some-events.ts';
import { extendLog } from '../records/extend-log.ts';
import { nilId, type StoredRecord } from '../records/log-record.ts';
import { exportFormats } from './export-format.ts';

const [, record] = extendLog({ size: 0, lastId: nilId }, someEvents(2), new Date()).records as [
  StoredRecord,
  StoredRecord,
];
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[=+@,"'|\\\r\n\t -]{0,9}$/u),
  fc.constantFrom(
    '=cmd|calc',
    '\n=1',
    'a\nCEF:0|x',
    '\u2028x',
    'x=y suser=root',
    '\uFF1D1',
    '\u001B]0;pwned\u0007',
    '\u202Ea',
  ),
);
const withText = (text: string): StoredRecord => ({
  ...record,
  dataoneUser: text,
  entityName: text,
  auditMessage: text,
  context: { ...record.context, client: text },
});

/** The text without what a terminal obeys. */
const harmless = (text: string) =>
  Array.from(text)
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      const isControl = (code < 0x20 && !'\t\r\n'.includes(character)) || (code >= 0x7f && code < 0xa0);
      const reorders = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(character);
      return isControl || reorders ? `\\u${code.toString(16).padStart(4, '0')}` : character;
    })
    .join('');

/** Reads one line of RFC 4180. */
function cellsOf(line: string): string[] {
  const cells = line.slice(0, -2).match(/(?:^|,)(?:"(?:[^"]|"")*"|[^",]*)/gu) ?? [];
  return cells
    .map((cell) => cell.replace(/^,/u, ''))
    .map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}

describe('formats of an export', () => {
  it('are one line of CSV that can be read back, of which no cell is a formula', () => {
    const names = cellsOf(exportFormats.csv.header);
    fc.assert(
      fc.property(hostile, (text) => {
        const cells = cellsOf(exportFormats.csv.line(withText(text)));
        expect(cells).toHaveLength(names.length);
        expect(cells.filter((cell) => /^\s*[=+\-@]/u.test(cell))).toEqual([]);
        const shown = harmless(text);
        expect([shown, `'${shown}`]).toContain(cells[names.indexOf('entityName')]);
      }),
    );
  });

  it('have no character in CSV and CEF that a terminal obeys or that reorders text', () => {
    const hostileText = 'a\u001B]0;pwned\u0007\u001B[2J\u009B1m\u007F b\u202Ec\u2066d';
    const shown = String.raw`a\u001b]0;pwned\u0007\u001b[2J\u009b1m\u007f b\u202ec\u2066d`;
    expect(exportFormats.csv.line(withText(hostileText))).toContain(`,${shown},`);
    expect(exportFormats.cef.line(withText(hostileText))).toContain(` msg=${shown.replaceAll('\\', '\\\\')} `);
    fc.assert(
      fc.property(hostile, (text) => {
        for (const format of ['csv', 'cef'] as const)
          expect(exportFormats[format].line(withText(text))).not.toMatch(/[^\P{Cc}\t\r\n]|\p{Bidi_Control}/u);
      }),
    );
  });

  it('have the size and the hash of what was transferred in the fields of each format', () => {
    const [fileSize, fileHash] = [5, hashOf('hello')];
    const transferred = { ...record, context: { ...record.context, fileSize, fileHash } };
    const names = cellsOf(exportFormats.csv.header);
    expect(cellsOf(exportFormats.csv.line(transferred)).slice(names.indexOf('fileSize'), -1)).toEqual(['5', fileHash]);
    expect(exportFormats.cef.line(transferred)).toContain(` fsize=5 fileHash=${fileHash} `);
    expect(JSON.parse(exportFormats.ocsf.line(transferred))).toMatchObject({
      file: { size: 5, hashes: [{ algorithm_id: 3, algorithm: 'SHA-256', value: fileHash }] },
    });
    expect(JSON.parse(exportFormats.ndjson.line(transferred))).toMatchObject({ context: { fileSize, fileHash } });
    // A record of an earlier release.
    expect(JSON.parse(exportFormats.ocsf.line(record))).not.toHaveProperty('file.hashes');
    expect(exportFormats.cef.line(record)).not.toMatch(/fsize|fileHash/u);
    expect(cellsOf(exportFormats.csv.line(record)).slice(names.indexOf('fileSize'), -1)).toEqual(['', '']);
  });

  it('have the number of the API key that was used', () => {
    const byKey = { ...record, context: { ...record.context, apiKey: 17 } };
    const names = cellsOf(exportFormats.csv.header);
    expect([names.at(-1), cellsOf(exportFormats.csv.line(byKey)).at(-1)]).toEqual(['apiKey', '17']);
    expect(exportFormats.cef.line(byKey)).toContain(' cn2Label=apiKey cn2=17 ');
    expect(JSON.parse(exportFormats.ocsf.line(byKey))).toHaveProperty('actor.user.credential_uid', '17');
    expect(JSON.parse(exportFormats.ndjson.line(byKey))).toHaveProperty('context.apiKey', 17);
    const login = { ...byKey, auditOperation: 'LOGIN' } as const;
    expect(JSON.parse(exportFormats.ocsf.line(login))).toHaveProperty('user.credential_uid', '17');
    // Without a key.
    expect(cellsOf(exportFormats.csv.line(record)).at(-1)).toBe('');
    expect(exportFormats.cef.line(record)).not.toMatch(/apiKey|cn2/u);
    expect(JSON.parse(exportFormats.ocsf.line(record))).not.toHaveProperty('actor.user.credential_uid');
  });

  it('are one line of CEF that no value can leave', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = exportFormats.cef.line(withText(text));
        expect(line.split(/[\r\n\u0085\u2028\u2029]/u)).toHaveLength(2);
        const [, extension = ''] =
          /^CEF:0\|Waybill\|Waybill\|1\|AUD0041A\|SERVER_UPLOAD_FILE\|3\|(.*)\n$/u.exec(line) ?? [];
        const keys = [...extension.matchAll(/(?:^| )(\w+)(?<!\\)=/gu)].map(([, key]) => key);
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it('are one event of OCSF a line', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = exportFormats.ocsf.line(withText(text));
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(JSON.parse(line)).toMatchObject({ class_uid: 4008, activity_id: 1, type_uid: 400_801, message: text });
      }),
    );
    const http = { ...record, producer: { id: 'http-files/n/1', number: 1, settled: 0 } };
    expect(JSON.parse(exportFormats.ocsf.line(http))).toMatchObject({
      class_uid: 6006,
      category_uid: 6,
      activity_id: 1,
    });
    const refused = { ...record, context: { ...record.context, outcome: 'not_permitted' } };
    expect(JSON.parse(exportFormats.ocsf.line(refused))).toMatchObject({ status_id: 2 });
  });
});
