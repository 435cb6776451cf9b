import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openFlag } from '../wire/open-flag.ts';
import { SftpProtocolError } from '../wire/sftp-protocol-error.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeRequest } from './encode-request.ts';
import type { SftpRequest } from './sftp-request.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s+/g, ''), 'hex');
const withoutPrefix = (packet: Buffer) => packet.subarray(4);

const vectors: [string, string, SftpRequest][] = [
  ['INIT', '01 00000003', { type: 'init', version: 3, extensions: [] }],
  [
    'INIT with an extension',
    '01 00000003 00000001 61 00000002 6262',
    { type: 'init', version: 3, extensions: [{ name: 'a', data: 'bb' }] },
  ],
  [
    'OPEN',
    '03 00000007 00000004 2f612e62 0000001a 00000004 000081a4',
    {
      type: 'open',
      id: 7,
      path: Buffer.from('/a.b'),
      flags: openFlag.write | openFlag.create | openFlag.truncate,
      attributes: { permissions: 0o100644 },
    },
  ],
  ['CLOSE', '04 00000001 00000002 6831', { type: 'close', id: 1, handle: Buffer.from('h1') }],
  [
    'READ',
    '05 00000002 00000001 68 0000000200000003 00008000',
    { type: 'read', id: 2, handle: Buffer.from('h'), offset: 2 * 2 ** 32 + 3, length: 32_768 },
  ],
  [
    'WRITE',
    '06 00000003 00000001 68 0000000000000010 00000003 010203',
    { type: 'write', id: 3, handle: Buffer.from('h'), offset: 16, data: Buffer.from([1, 2, 3]) },
  ],
  ['LSTAT', '07 00000004 00000001 2f', { type: 'lstat', id: 4, path: Buffer.from('/') }],
  ['FSTAT', '08 00000005 00000001 68', { type: 'fstat', id: 5, handle: Buffer.from('h') }],
  [
    'SETSTAT',
    '09 00000006 00000001 61 0000000a 00000001 00000002 00000003 00000004',
    {
      type: 'setstat',
      id: 6,
      path: Buffer.from('a'),
      attributes: { ownership: { uid: 1, gid: 2 }, times: { accessed: 3, modified: 4 } },
    },
  ],
  [
    'FSETSTAT',
    '0a 00000007 00000001 68 00000001 0000000000000009',
    { type: 'fsetstat', id: 7, handle: Buffer.from('h'), attributes: { size: 9 } },
  ],
  ['OPENDIR', '0b 00000008 00000001 2f', { type: 'opendir', id: 8, path: Buffer.from('/') }],
  ['READDIR', '0c 00000009 00000001 68', { type: 'readdir', id: 9, handle: Buffer.from('h') }],
  ['REMOVE', '0d 0000000a 00000001 61', { type: 'remove', id: 10, path: Buffer.from('a') }],
  ['MKDIR', '0e 0000000b 00000001 61 00000000', { type: 'mkdir', id: 11, path: Buffer.from('a'), attributes: {} }],
  ['RMDIR', '0f 0000000c 00000001 61', { type: 'rmdir', id: 12, path: Buffer.from('a') }],
  ['REALPATH', '10 0000000d 00000001 2e', { type: 'realpath', id: 13, path: Buffer.from('.') }],
  ['STAT', '11 0000000e 00000001 61', { type: 'stat', id: 14, path: Buffer.from('a') }],
  [
    'RENAME',
    '12 0000000f 00000001 61 00000001 62',
    { type: 'rename', id: 15, oldPath: Buffer.from('a'), newPath: Buffer.from('b') },
  ],
  ['READLINK', '13 00000010 00000001 61', { type: 'readlink', id: 16, path: Buffer.from('a') }],
  [
    'SYMLINK',
    '14 00000011 00000001 61 00000001 62',
    { type: 'symlink', id: 17, linkPath: Buffer.from('a'), targetPath: Buffer.from('b') },
  ],
  [
    'EXTENDED posix-rename@openssh.com',
    `c8 00000012 00000018 ${Buffer.from('posix-rename@openssh.com').toString('hex')} 00000001 61 00000001 62`,
    { type: 'posix-rename', id: 18, oldPath: Buffer.from('a'), newPath: Buffer.from('b') },
  ],
  [
    'EXTENDED fsync@openssh.com',
    `c8 00000013 00000011 ${Buffer.from('fsync@openssh.com').toString('hex')} 00000001 68`,
    { type: 'fsync', id: 19, handle: Buffer.from('h') },
  ],
  [
    'EXTENDED limits@openssh.com',
    `c8 00000014 00000012 ${Buffer.from('limits@openssh.com').toString('hex')}`,
    { type: 'limits', id: 20 },
  ],
  [
    'EXTENDED of an unknown name',
    'c8 00000015 00000003 612f62 0102',
    { type: 'extended', id: 21, name: 'a/b', data: Buffer.from([1, 2]) },
  ],
  ['an unknown type', '63 00000016', { type: 'unknown', id: 22, packetType: 0x63 }],
];

const bytes = fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array));
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const uint64 = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const attributes = fc.record(
  {
    size: uint64,
    ownership: fc.record({ uid: uint32, gid: uint32 }),
    permissions: uint32,
    times: fc.record({ accessed: uint32, modified: uint32 }),
    extended: fc.array(fc.record({ name: fc.string(), data: bytes }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const hashedRange = {
  algorithms: fc.array(fc.constantFrom('sha256', 'sha1', 'md5'), { minLength: 1, maxLength: 3 }),
  offset: uint64,
  length: uint64,
  blockBytes: uint32,
};
const requests: fc.Arbitrary<SftpRequest> = fc.oneof(
  fc.record({ type: fc.constant('open'), id: uint32, path: bytes, flags: uint32, attributes }),
  fc.record({ type: fc.constantFrom('close', 'fstat', 'readdir', 'fsync'), id: uint32, handle: bytes }),
  fc.record({ type: fc.constant('read'), id: uint32, handle: bytes, offset: uint64, length: uint32 }),
  fc.record({ type: fc.constant('write'), id: uint32, handle: bytes, offset: uint64, data: bytes }),
  fc.record({
    type: fc.constantFrom('lstat', 'stat', 'opendir', 'remove', 'rmdir', 'realpath', 'readlink'),
    id: uint32,
    path: bytes,
  }),
  fc.record({ type: fc.constantFrom('setstat', 'mkdir'), id: uint32, path: bytes, attributes }),
  fc.record({ type: fc.constant('fsetstat'), id: uint32, handle: bytes, attributes }),
  fc.record({ type: fc.constantFrom('rename', 'posix-rename'), id: uint32, oldPath: bytes, newPath: bytes }),
  fc.record({ type: fc.constant('symlink'), id: uint32, linkPath: bytes, targetPath: bytes }),
  fc.record({ type: fc.constant('limits'), id: uint32 }),
  fc.record({
    type: fc.constant('copy-data'),
    id: uint32,
    handle: bytes,
    offset: uint64,
    length: uint64,
    targetHandle: bytes,
    targetOffset: uint64,
  }),
  fc.record({ type: fc.constant('check-file-name'), id: uint32, path: bytes, ...hashedRange }),
  fc.record({ type: fc.constant('check-file-handle'), id: uint32, handle: bytes, ...hashedRange }),
  fc.record({ type: fc.constant('statvfs'), id: uint32, path: bytes }),
  fc.record({ type: fc.constant('fstatvfs'), id: uint32, handle: bytes }),
  fc.record({ type: fc.constant('home-directory'), id: uint32, userName: bytes }),
  fc.record({ type: fc.constant('expand-path'), id: uint32, path: bytes }),
);

describe('decodeRequest', () => {
  it.each(vectors)('decodes %s as the draft lays it out', (_name, bytes, request) => {
    expect(decodeRequest(hex(bytes))).toEqual(request);
  });

  it.each(vectors)('encodes %s to the same bytes', (_name, bytes, request) => {
    expect(withoutPrefix(encodeRequest(request)).toString('hex')).toBe(hex(bytes).toString('hex'));
  });

  it('gives back every request that was encoded', () => {
    fc.assert(
      fc.property(requests, (request) => {
        expect(decodeRequest(withoutPrefix(encodeRequest(request)))).toEqual(request);
      }),
    );
  });

  it('refuses every request that is cut short, and names its id once that was readable', () => {
    fc.assert(
      fc.property(requests, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (request, share) => {
        const whole = withoutPrefix(encodeRequest(request));
        const cut = whole.subarray(0, Math.floor(whole.length * share));
        try {
          decodeRequest(cut);
          expect.unreachable('a cut request was taken');
        } catch (error) {
          if (!(error instanceof SftpProtocolError)) throw error;
          expect(error.violation).toBe('truncated');
          expect(error.requestId).toBe(cut.length >= 5 && request.type !== 'init' ? request.id : undefined);
        }
      }),
    );
  });

  it('decodes random bytes to a request or its own error, and reads nothing outside the packet', () => {
    const types = fc.constantFrom(1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 200, 101, 0, 255);
    fc.assert(
      fc.property(types, fc.uint8Array({ maxLength: 80 }), (type, body) => {
        const surroundings = Buffer.concat([Buffer.alloc(64, 0xee), Buffer.from([type]), body, Buffer.alloc(64, 0xee)]);
        const packet = surroundings.subarray(64, 65 + body.length);
        try {
          const text = JSON.stringify(decodeRequest(packet));
          expect(text).toBe(JSON.stringify(decodeRequest(Buffer.from(packet))));
        } catch (error) {
          expect(error).toBeInstanceOf(SftpProtocolError);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('gives WRITE data as a view of the packet, not a copy', () => {
    const packet = withoutPrefix(
      encodeRequest({ type: 'write', id: 1, handle: Buffer.from('h'), offset: 0, data: Buffer.alloc(9000, 5) }),
    );
    const request = decodeRequest(packet);
    expect(request.type === 'write' && request.data.buffer === packet.buffer).toBe(true);
  });

  it('refuses a handle above 256 bytes with the request id', () => {
    const bytes = hex(`04 00000002 00000101 ${'61'.repeat(257)}`);
    expect(() => decodeRequest(bytes)).toThrow(expect.objectContaining({ violation: 'too-large', requestId: 2 }));
  });

  it.each(['0020000000000000', '7fffffffffffffff', 'ffffffffffffffff'])(
    'treats the offset 0x%s as the last one that a file could have',
    (offset) => {
      const request = decodeRequest(hex(`05 00000002 00000001 68 ${offset} 00008000`));
      expect(request).toMatchObject({ type: 'read', id: 2, offset: 2 ** 53 - 1, length: 0x8000 });
    },
  );

  it('passes over bytes after the last field', () => {
    expect(decodeRequest(hex('04 00000001 00000001 68 ffff'))).toEqual({
      type: 'close',
      id: 1,
      handle: Buffer.from('h'),
    });
  });
});
