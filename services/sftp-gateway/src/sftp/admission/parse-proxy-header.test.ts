import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseProxyHeader } from './parse-proxy-header.ts';

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

function headerOf(versionAndCommand: number, family: number, body: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length);
  return Buffer.concat([signature, Buffer.from([versionAndCommand, family]), length, body]);
}

const ipv4 = Buffer.from([10, 1, 2, 3, 127, 0, 0, 1, 0x12, 0x67, 0x08, 0xae]);
const ipv6 = Buffer.concat([
  Buffer.from('20010db8000000000000000000000001', 'hex'),
  Buffer.alloc(16),
  Buffer.from([0x12, 0x67, 0x08, 0xae]),
]);

describe('parseProxyHeader', () => {
  it('reads the client of IPv4 and IPv6, and skips extensions', () => {
    expect(parseProxyHeader(headerOf(0x21, 0x11, ipv4))).toEqual({
      kind: 'proxied',
      bytes: 28,
      client: { address: '10.1.2.3', port: 4711 },
    });
    expect(parseProxyHeader(headerOf(0x21, 0x21, ipv6))).toMatchObject({
      client: { address: '2001:db8::1', port: 4711 },
    });
    const extended = headerOf(0x21, 0x11, Buffer.concat([ipv4, Buffer.from([4, 0, 1, 0])]));
    expect(parseProxyHeader(Buffer.concat([extended, Buffer.from('SSH-2.0')]))).toMatchObject({ bytes: 32 });
  });

  it('returns an IPv4-mapped IPv6 client as IPv4', () => {
    const mapped = Buffer.concat([Buffer.from('00000000000000000000ffff0a010203', 'hex'), ipv6.subarray(16)]);
    expect(parseProxyHeader(headerOf(0x21, 0x21, mapped))).toMatchObject({ client: { address: '10.1.2.3' } });
  });

  it('recognises the health check of a proxy', () => {
    expect(parseProxyHeader(headerOf(0x20, 0, Buffer.alloc(0)))).toEqual({ kind: 'local', bytes: 16 });
  });

  it('waits for the rest of a header, however it is split', () => {
    const header = headerOf(0x21, 0x11, ipv4);
    for (let length = 0; length < header.length; length += 1) {
      expect(parseProxyHeader(header.subarray(0, length))).toEqual({ kind: 'incomplete' });
    }
  });

  it.each([
    ['another protocol', Buffer.from('SSH-2.0-OpenSSH\r\n')],
    ['version 1', Buffer.from('PROXY TCP4 10.1.2.3 127.0.0.1 1 2\r\n')],
    ['another version', headerOf(0x31, 0x11, ipv4)],
    ['an unknown command', headerOf(0x22, 0x11, ipv4)],
    ['UDP', headerOf(0x21, 0x12, ipv4)],
    ['an address that is too short', headerOf(0x21, 0x11, ipv4.subarray(0, 8))],
    ['an unterminated address block', Buffer.concat([signature, Buffer.from([0x21, 0x11, 0xff, 0xff])])],
  ])('refuses %s', (_name, bytes) => {
    expect(parseProxyHeader(bytes)).toEqual({ kind: 'invalid' });
  });

  it('accepts any bytes without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(parseProxyHeader(Buffer.concat([signature, bytes])).kind).toBeTypeOf('string');
      }),
    );
  });
});
