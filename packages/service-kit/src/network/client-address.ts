import { isIP, SocketAddress } from 'node:net';

/** An IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) in the form that `SocketAddress` gives it. */
const mappedPrefix = '::ffff:';

/**
 * The canonical form of an IP address, in which it is shown, stored and matched: IPv6 as in RFC 5952 without a zone id,
 * an IPv4-mapped IPv6 address as IPv4. Undefined for any other text.
 */
export function canonicalAddress(text: string): string | undefined {
  const version = isIP(text);
  if (version === 0) return undefined;
  if (version === 4) return text;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  return address.startsWith(mappedPrefix) && address.includes('.') ? address.slice(mappedPrefix.length) : address;
}

/**
 * The IPv6 network with this prefix length that contains the address, in CIDR notation; with 128 bits the address
 * itself.
 * @param address canonical
 */
export function ipv6NetworkOf(address: string, prefixBits: number): string {
  const groups = groupsOf(address).map((group, index) => {
    const kept = Math.min(16, Math.max(0, prefixBits - 16 * index));
    return (group & (0xffff << (16 - kept)) & 0xffff).toString(16);
  });
  const first = new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
  return prefixBits === 128 ? first : `${first}/${prefixBits}`;
}

/** The eight groups of 16 bits. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address
    .replace(/[\d.]+$/u, (last) => (last.includes('.') ? hexOfIpv4(last) : last))
    .split('::');
  const groupsIn = (part = '') => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [before, after] = [groupsIn(head), groupsIn(tail)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function hexOfIpv4(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
