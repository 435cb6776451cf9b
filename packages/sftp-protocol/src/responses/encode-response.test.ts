import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SftpProtocolError } from '../wire/sftp-protocol-error.ts';
import { decodeResponse } from './decode-response.ts';
import { encodeDataHeader } from './encode-data-header.ts';
import { encodeLimits } from './encode-extended-replies.ts';
import { encodeResponse } from './encode-response.ts';
import type { SftpResponse } from './sftp-response.ts';
import { statusCode } from './status-code.ts';

const plain = (text: string) => text.replaceAll(/\s+/g, '');

const vectors: [string, SftpResponse, string][] = [
  ['VERSION', { type: 'version', version: 3, extensions: [] }, '00000005 02 00000003'],
  [
    'VERSION with an extension',
    { type: 'version', version: 3, extensions: [{ name: 'a@b', data: '1' }] },
    '00000011 02 00000003 00000003 614062 00000001 31',
  ],
  [
    'STATUS',
    { type: 'status', id: 9, code: statusCode.noSuchFile, message: 'no' },
    '00000015 65 00000009 00000002 00000002 6e6f 00000002 656e',
  ],
  ['HANDLE', { type: 'handle', id: 1, handle: Buffer.from('h1') }, '0000000b 66 00000001 00000002 6831'],
  ['DATA', { type: 'data', id: 2, data: Buffer.from([1, 2]) }, '0000000b 67 00000002 00000002 0102'],
  [
    'NAME',
    { type: 'name', id: 3, entries: [{ filename: 'é', longname: 'l', attributes: {} }] },
    '00000018 68 00000003 00000001 00000002 c3a9 00000001 6c 00000000',
  ],
  [
    'ATTRS',
    { type: 'attrs', id: 4, attributes: { size: 2 ** 32 + 1, times: { accessed: 1, modified: 2 } } },
    '00000019 69 00000004 00000009 0000000100000001 00000001 00000002',
  ],
  ['EXTENDED_REPLY', { type: 'extended-reply', id: 5, data: Buffer.from([7]) }, '00000006 c9 00000005 07'],
];

const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const bytes = fc.uint8Array({ maxLength: 600 }).map((array) => Buffer.from(array));
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const attributes = fc.record(
  { size: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), permissions: uint32 },
  { requiredKeys: [] },
);
const responses: fc.Arbitrary<SftpResponse> = fc.oneof(
  fc.record({
    type: fc.constant('status'),
    id: uint32,
    code: fc.constantFrom(...Object.values(statusCode)),
    message: text,
  }),
  fc.record({ type: fc.constant('handle'), id: uint32, handle: bytes }),
  fc.record({ type: fc.constant('data'), id: uint32, data: bytes }),
  fc.record({
    type: fc.constant('name'),
    id: uint32,
    entries: fc.array(fc.record({ filename: text, longname: text, attributes }), { maxLength: 30 }),
  }),
  fc.record({ type: fc.constant('attrs'), id: uint32, attributes }),
  fc.record({ type: fc.constant('extended-reply'), id: uint32, data: bytes }),
);

describe('encodeResponse', () => {
  it.each(vectors)('lays out %s as the draft does', (_name, response, expected) => {
    expect(encodeResponse(response).toString('hex')).toBe(plain(expected));
  });

  it('is reversed by decodeResponse, for any response', () => {
    fc.assert(
      fc.property(responses, (response) => {
        const packet = encodeResponse(response);
        expect(packet.readUInt32BE(0)).toBe(packet.length - 4);
        expect(decodeResponse(packet.subarray(4))).toEqual(response);
      }),
    );
  });
});

describe('decodeResponse', () => {
  it('decodes random bytes to a response or its own error', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(2, 101, 102, 103, 104, 105, 201, 3),
        fc.uint8Array({ maxLength: 80 }),
        (type, body) => {
          try {
            decodeResponse(Buffer.from([type, ...body]));
          } catch (error) {
            expect(error).toBeInstanceOf(SftpProtocolError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('treats status codes of later versions as a failure', () => {
    const packet = Buffer.from(plain('65 00000001 0000000b 00000000 00000000'), 'hex');
    expect(decodeResponse(packet)).toMatchObject({ type: 'status', code: statusCode.failure });
  });
});

describe('encodeDataHeader', () => {
  it('results, with the payload after it, in the same bytes as a DATA response', () => {
    const data = Buffer.from('payload');
    const packet = Buffer.concat([encodeDataHeader(77, data.length), data]);
    expect(packet).toEqual(encodeResponse({ type: 'data', id: 77, data }));
  });
});

describe('encodeLimits', () => {
  it('is four uint64 in the order packet, read, write, handles', () => {
    const body = encodeLimits({ packetBytes: 1, readBytes: 2, writeBytes: 2 ** 33, openHandles: 4 });
    expect(body.toString('hex')).toBe(plain('0000000000000001 0000000000000002 0000000200000000 0000000000000004'));
  });
});
