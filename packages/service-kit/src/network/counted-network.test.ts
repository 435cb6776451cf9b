import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalAddress, ipv6NetworkOf } from './client-address.ts';
import { createNetworkCounter, parseCountedNetwork } from './counted-network.ts';
import { createNetworkList } from './network-list.ts';

describe('canonicalAddress', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:C000:0207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['2001:DB8:0:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::', '::'],
    ['::192.0.2.7', '::192.0.2.7'],
  ])('writes %s as %s', (text, expected) => {
    expect(canonicalAddress(text)).toBe(expected);
  });

  it.each([
    '',
    'unknown',
    '192.0.2.7:80',
    '[::1]',
    '010.1.1.1',
    '1.2.3',
    '::1/64',
    ' 192.0.2.7',
    '::ffff:192.0.2.7%\0',
  ])('does not take %j for an address', (text) => {
    expect(canonicalAddress(text)).toBeUndefined();
  });

  it('gives one form to every spelling of an address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const address = canonicalAddress(text) ?? '';
        expect(isIP(address)).not.toBe(0);
        expect(canonicalAddress(text.toUpperCase())).toBe(address);
        expect(canonicalAddress(address)).toBe(address);
      }),
    );
  });
});

describe('the network that counts as one', () => {
  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['', 'unknown'],
    ['_hidden', 'unknown'],
  ])('of %j is %s', (address, network) => {
    expect(createNetworkCounter(64)(address)).toBe(network);
  });

  it('has as many bits as are set', () => {
    const address = '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff';
    expect(createNetworkCounter(48)(address)).toBe('2001:db8:ffff::/48');
    expect(createNetworkCounter(57)(address)).toBe('2001:db8:ffff:ff80::/57');
    expect(createNetworkCounter(128)(address)).toBe(address);
  });

  it('holds the address, and no address outside it counts there', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), fc.integer({ min: 1, max: 127 }), (one, other, bits) => {
        const [address, second] = [canonicalAddress(one) ?? '', canonicalAddress(other) ?? ''];
        fc.pre(isIP(address) === 6 && isIP(second) === 6);
        const network = ipv6NetworkOf(address, bits);
        const isInside = createNetworkList([network]);
        expect(isInside(address)).toBe(true);
        expect(isInside(second)).toBe(ipv6NetworkOf(second, bits) === network);
      }),
    );
  });
});

describe('parseCountedNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:DB8:1:2:3::/64', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:db8::1/128', '2001:db8::1'],
  ])('reads %s as %s', (text, expected) => {
    expect(parseCountedNetwork(text)).toBe(expected);
  });

  it.each(['', '/', 'nowhere', '192.0.2.0/24', '::ffff:192.0.2.7/120', '::/129', '::/-1', '::/64/64', '::/1e1'])(
    'refuses %j',
    (text) => {
      expect(parseCountedNetwork(text)).toBeUndefined();
    },
  );
});
