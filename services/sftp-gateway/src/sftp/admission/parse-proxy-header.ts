import { canonicalAddress } from '@waybill/service-kit/network/client-address';

/** The address of a client, from the proxy header or, without one, from the socket. */
export interface ClientAddress {
  readonly address: string;
  readonly port: number;
}

/** The kind of the first bytes of a connection; `bytes` is the length of the header. */
export type ProxyHeader =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'local'; readonly bytes: number }
  | { readonly kind: 'proxied'; readonly bytes: number; readonly client: ClientAddress };

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const fixedBytes = 16;
const mostAddressBytes = 4096;

/**
 * Reads a PROXY protocol header of version 2 (the HAProxy specification, section 2.2) for TCP over IPv4 and IPv6.
 * `local` is a connection of the proxy itself, such as a health check.
 */
export function parseProxyHeader(received: Buffer): ProxyHeader {
  const compared = Math.min(received.length, signature.length);
  if (!received.subarray(0, compared).equals(signature.subarray(0, compared))) return { kind: 'invalid' };
  if (received.length < fixedBytes) return { kind: 'incomplete' };

  const versionAndCommand = received.readUInt8(12);
  const addressBytes = received.readUInt16BE(14);
  const bytes = fixedBytes + addressBytes;
  if (versionAndCommand >> 4 !== 2 || addressBytes > mostAddressBytes) return { kind: 'invalid' };
  if (received.length < bytes) return { kind: 'incomplete' };

  const command = versionAndCommand & 0x0f;
  if (command === 0) return { kind: 'local', bytes };
  if (command !== 1) return { kind: 'invalid' };
  const client = clientOf(received.readUInt8(13), received.subarray(fixedBytes, bytes));
  return client === undefined ? { kind: 'invalid' } : { kind: 'proxied', bytes, client };
}

function clientOf(familyAndTransport: number, body: Buffer): ClientAddress | undefined {
  if (familyAndTransport === 0x11 && body.length >= 12) {
    return { address: [...body.subarray(0, 4)].join('.'), port: body.readUInt16BE(8) };
  }
  if (familyAndTransport === 0x21 && body.length >= 36) {
    const groups = Array.from({ length: 8 }, (_, index) => body.readUInt16BE(index * 2).toString(16));
    const address = canonicalAddress(groups.join(':'));
    return address === undefined ? undefined : { address, port: body.readUInt16BE(32) };
  }
  return undefined;
}
