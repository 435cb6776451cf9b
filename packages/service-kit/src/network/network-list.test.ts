import { expect, it } from 'vitest';
import { createNetworkList } from './network-list.ts';

it('contains exactly the addresses of its networks, of either family', () => {
  const isListed = createNetworkList(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']);
  const addresses = ['10.255.0.1', '11.0.0.1', '192.0.2.7', '192.0.2.8', '2001:db8:1::1', '2001:db9::1', 'nowhere'];
  expect(addresses.filter(isListed)).toEqual(['10.255.0.1', '192.0.2.7', '2001:db8:1::1']);
  expect(createNetworkList([])('10.0.0.1')).toBe(false);
});

it('recognizes an address in every spelling', () => {
  const isListed = createNetworkList(['10.0.0.0/8', '2001:db8::/32', 'fe80::/10']);
  for (const address of ['::ffff:10.1.2.3', '::FFFF:0A01:0203', '2001:DB8:0::1', 'fe80::1%eth0']) {
    expect([address, isListed(address)]).toEqual([address, true]);
  }
  for (const address of ['::ffff:11.1.2.3', '::10.1.2.3', '2001:db9::1', '10.1.2.3:80', '010.1.2.3', '10.1.2', '']) {
    expect([address, isListed(address)]).toEqual([address, false]);
  }
  const mapped = createNetworkList(['::ffff:10.0.0.0/104']);
  expect([mapped('10.1.2.3'), mapped('::ffff:10.1.2.3'), mapped('11.1.2.3')]).toEqual([true, true, false]);
});
