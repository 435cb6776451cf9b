import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { canonicalAddress } from '@waybill/service-kit/network/client-address';
import { createNetworkList } from '@waybill/service-kit/network/network-list';
import { forwardedHops, xForwardedHops } from './proxy-hop.ts';

/** The trusted origin of a request. */
export interface RequestOrigin {
  /** Canonical; empty if the connection is closed. */
  readonly address: string;
  /** The client's port, if a proxy does not hide it. */
  readonly port: number | undefined;
  /** The protocol between the client and the outermost trusted proxy. */
  readonly scheme: 'http' | 'https';
  /** The host that the client requested, if a trusted proxy reports it. */
  readonly host: string | undefined;
}

/** The proxies that are trusted to report the origin of requests, and their headers. */
export interface TrustedProxies {
  /** In CIDR notation. */
  readonly networks: readonly string[];
  /**
   * The headers that the proxies write. Others may come from the client: proxies forward headers that they do not
   * know.
   */
  readonly headers: 'x-forwarded' | 'forwarded';
}

/** A connection and its request. */
export interface ReceivedRequest {
  readonly peerAddress: string | undefined;
  readonly peerPort?: number | undefined;
  readonly isEncrypted: boolean;
  readonly headers: IncomingMessage['headersDistinct'];
}

/** The maximum number of trusted proxies of a request: more than any installation has. */
const hopsAtMost = 32;

/**
 * Finds the origin of requests: the first address, from the nearest on, that is not a trusted proxy's. A proxy is
 * trusted only about the hop before it, so that a client gains nothing by sending such headers. If a trusted proxy
 * reports nothing readable, the request is attributed to the proxy.
 */
export function createOriginReader({
  networks,
  headers: kind,
}: TrustedProxies): (request: ReceivedRequest) => RequestOrigin {
  const isTrusted = createNetworkList(networks);
  const hopsOf = kind === 'forwarded' ? forwardedHops : xForwardedHops;
  return ({ peerAddress = '', peerPort: port, isEncrypted, headers }) => {
    const address = canonicalAddress(peerAddress) ?? '';
    let origin: RequestOrigin = { address, port, scheme: isEncrypted ? 'https' : 'http', host: undefined };
    if (!isTrusted(address)) return origin;
    let hops = 0;
    for (const hop of hopsOf(headers)) {
      const { address, scheme, host } = origin;
      const client =
        hop.address === undefined ? { address, port: origin.port } : { address: hop.address, port: hop.port };
      origin = { ...client, scheme: hop.scheme ?? scheme, host: hop.host ?? host };
      hops += 1;
      if (hop.address === undefined || !isTrusted(hop.address) || hops === hopsAtMost) break;
    }
    return origin;
  };
}

/** The part of Node's request that `createOriginReader` reads. */
export function receivedRequest(request: IncomingMessage): ReceivedRequest {
  const { socket, headersDistinct: headers } = request;
  return {
    peerAddress: socket.remoteAddress,
    peerPort: socket.remotePort,
    isEncrypted: socket instanceof TLSSocket,
    headers,
  };
}
