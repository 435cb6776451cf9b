import { expect, it } from 'vitest';
import { createNetworkList } from './network-list.ts';

it('knows the addresses of its networks, of either family, and no others', () => {
  const isListed = createNetworkList(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']);
  const addresses = ['10.255.0.1', '11.0.0.1', '192.0.2.7', '192.0.2.8', '2001:db8:1::1', '2001:db9::1', 'nowhere'];
  expect(addresses.filter(isListed)).toEqual(['10.255.0.1', '192.0.2.7', '2001:db8:1::1']);
  expect(createNetworkList([])('10.0.0.1')).toBe(false);
});
