/** An IPv4 address is shown, counted and matched against networks as one, also where it comes as IPv6 (RFC 4291, section 2.5.5.2). */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/u, '');
}
