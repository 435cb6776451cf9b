import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromTheRight } from './from-the-right.ts';
import { createOriginReader, type TrustedProxies } from './request-origin.ts';

const networks = ['10.0.0.0/8', '2001:db8:ffff::/48'];

function readWith(
  kind: TrustedProxies['headers'],
  headers: Record<string, string | string[]>,
  peerAddress = '10.0.0.1',
) {
  const distinct = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
  );
  return createOriginReader({ networks, headers: kind })({ peerAddress, isEncrypted: false, headers: distinct });
}
const addressIn = (list: string | string[]) => readWith('x-forwarded', { 'x-forwarded-for': list }).address;
const forwarded = (list: string | string[]) => readWith('forwarded', { forwarded: list });

describe('a peer that is not trusted', () => {
  it.each(['192.0.2.1', '::1', '2001:db8:fffe::1', '::ffff:192.0.2.1', ''])(
    'at %j is where the request comes from, whatever its headers say',
    (peer) => {
      const spoofed = {
        'x-forwarded-for': '203.0.113.1',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'files.example.org',
        forwarded: 'for=203.0.113.1;proto=https;host=files.example.org',
      };
      for (const kind of ['x-forwarded', 'forwarded'] as const) {
        const expected = { address: peer.replace('::ffff:', ''), scheme: 'http', host: undefined };
        expect(readWith(kind, spoofed, peer)).toEqual(expected);
      }
    },
  );

  it('includes every private network, unless it is listed', () => {
    const read = createOriginReader({ networks: [], headers: 'x-forwarded' });
    for (const peerAddress of ['10.0.0.1', '172.16.0.1', '192.168.0.1', 'fd00::1', '127.0.0.1']) {
      const headers = { 'x-forwarded-for': ['203.0.113.1'] };
      expect(read({ peerAddress, isEncrypted: true, headers })).toMatchObject({
        address: peerAddress,
        scheme: 'https',
      });
    }
  });
});

describe('X-Forwarded-For of a trusted peer', () => {
  it.each([
    ['203.0.113.1', '203.0.113.1'],
    ['  203.0.113.1  ', '203.0.113.1'],
    ['198.51.100.9, 203.0.113.1', '203.0.113.1'],
    ['203.0.113.1, 10.0.0.2, 2001:db8:ffff::1', '203.0.113.1'],
    ['203.0.113.1, ::ffff:10.0.0.2', '203.0.113.1'],
    ['203.0.113.1:4711', '203.0.113.1'],
    ['[2001:DB8::1]:4711', '2001:db8::1'],
    ['[2001:DB8::1]', '2001:db8::1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::FFFF:CB00:7101', '203.0.113.1'],
    ['203.0.113.1, , ,', '203.0.113.1'],
    ['10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ])('%j is read as %s', (list, expected) => {
    expect(addressIn(list)).toBe(expected);
  });

  it('may be there several times', () => {
    expect(addressIn(['198.51.100.9', '203.0.113.1, 10.0.0.2'])).toBe('203.0.113.1');
  });

  it.each([
    '',
    'unknown',
    '_hidden',
    '203.0.113',
    '203.0.113.1.1',
    '0x7f.1',
    '203.0.113.1%eth0',
    '[::1',
    '::1]',
    '"',
    '\0',
  ])('with the unreadable entry %j makes the request one of the proxy that wrote it', (item) => {
    expect(addressIn(item)).toBe('10.0.0.1');
    expect(addressIn(`203.0.113.1, ${item || 'unknown'}, 10.0.0.2`)).toBe('10.0.0.2');
  });

  it('of 10 000 addresses is read from the right, and not to its end', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `198.51.${index >> 8}.${index & 255}`);
    expect(addressIn([...many, '203.0.113.1', '10.0.0.2'].join(','))).toBe('203.0.113.1');
    const trusted = Array.from({ length: 10_000 }, (_, index) => `10.1.${index >> 8}.${index & 255}`);
    expect(addressIn(trusted.join(','))).toBe(trusted.at(-32));
    expect(addressIn(','.repeat(30_000))).toBe('10.0.0.1');
  });
});

describe('X-Forwarded-Proto and X-Forwarded-Host of a trusted peer', () => {
  const origin = (headers: Record<string, string>) => readWith('x-forwarded', headers);

  it('are what the outermost trusted proxy says, not what the client does', () => {
    const attempt = {
      'x-forwarded-for': '198.51.100.9, 203.0.113.1, 10.0.0.2',
      'x-forwarded-proto': 'gopher, https, http',
      'x-forwarded-host': 'evil.example, files.example.org, internal',
    };
    expect(origin(attempt)).toEqual({ address: '203.0.113.1', scheme: 'https', host: 'files.example.org' });
  });

  it('count where each proxy overwrites what the one before said, and without an address', () => {
    const chain = { 'x-forwarded-for': '203.0.113.1, 10.0.0.2', 'x-forwarded-proto': 'HTTPS' };
    expect(origin(chain)).toMatchObject({ address: '203.0.113.1', scheme: 'https' });
    expect(origin({ 'x-forwarded-proto': 'https' })).toEqual({ address: '10.0.0.1', scheme: 'https', host: undefined });
  });

  it.each(['', 'javascript', 'https;', 'wss', 'http s'])('of %j leave the scheme of the connection', (scheme) => {
    expect(origin({ 'x-forwarded-for': '203.0.113.1', 'x-forwarded-proto': scheme }).scheme).toBe('http');
  });
});

describe('Forwarded of a trusted peer', () => {
  it.each([
    ['for=203.0.113.1', '203.0.113.1'],
    ['For="[2001:DB8::1]:4711";Proto=https', '2001:db8::1'],
    ['for=203.0.113.1:_port', '203.0.113.1'],
    ['for=198.51.100.9, for=203.0.113.1;by=10.0.0.2', '203.0.113.1'],
    ['by="a,b;c" ; for=203.0.113.1 , for="10.0.0.2"', '203.0.113.1'],
    ['for=203.0.113.1, for=unknown', '10.0.0.1'],
    ['for="[fe80::1%eth0]"', 'fe80::1'],
    ['proto=https', '10.0.0.1'],
    ['for=203.0.113.1;for=198.51.100.9', '10.0.0.1'],
    ['for=', '10.0.0.1'],
    ['for', '10.0.0.1'],
    ['for=203.0.113.1 proto=https', '10.0.0.1'],
    ['', '10.0.0.1'],
  ])('%j is read as %s', (list, expected) => {
    expect(forwarded(list).address).toBe(expected);
  });

  it('gives the scheme and the host of the outermost trusted proxy', () => {
    const list =
      'for=evil;proto=http;host=evil, for=203.0.113.1;proto=https;host="files.example.org:8443", for=10.0.0.2';
    const expected = { address: '203.0.113.1', scheme: 'https', host: 'files.example.org:8443' };
    expect(forwarded(list)).toEqual(expected);
  });

  it.each(['for="198.51.100.9', 'for="198.51.100.9\\', '"', '((((', 'for="a", for="', ';;;=,='])(
    'is not spoilt by %j, which a client has put before it',
    (spoiler) => {
      const joined = `${spoiler}, for=203.0.113.1;proto=https`;
      expect(forwarded([spoiler, 'for=203.0.113.1;proto=https'])).toMatchObject({
        address: '203.0.113.1',
        scheme: 'https',
      });
      expect(forwarded(joined)).toMatchObject({ address: '203.0.113.1', scheme: 'https' });
    },
  );

  it('is ignored where the proxies write X-Forwarded-For, and the reverse', () => {
    const both = { forwarded: 'for=198.51.100.9;proto=https', 'x-forwarded-for': '203.0.113.1' };
    expect(readWith('x-forwarded', both)).toMatchObject({ address: '203.0.113.1', scheme: 'http' });
    expect(readWith('forwarded', both)).toMatchObject({ address: '198.51.100.9', scheme: 'https' });
  });

  it('of many elements, or quotes, is read in time', () => {
    expect(forwarded(`${'for=10.0.0.2,'.repeat(10_000)}for=203.0.113.1`).address).toBe('203.0.113.1');
    expect(forwarded('"\\'.repeat(15_000)).address).toBe('10.0.0.1');
    expect(forwarded(`for="${'\\'.repeat(30_000)}"`).address).toBe('10.0.0.1');
  });
});

it('only the item that the trusted proxy adds is used, whatever a client writes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (written) => {
      expect(addressIn(`${written},203.0.113.1`)).toBe('203.0.113.1');
      expect(forwarded(`${written},for=203.0.113.1;proto=https`)).toMatchObject({
        address: '203.0.113.1',
        scheme: 'https',
      });
    }),
  );
});

it('fromTheRight splits as a list is written', () => {
  expect([...fromTheRight(' a , "b,c" ,, d="e\\",f" ')]).toEqual(['d="e\\",f"', '"b,c"', 'a']);
});
