import { createNetworkList } from '@waybill/service-kit/network/network-list';
import type { TrustedProxies } from '../forwarded/request-origin.ts';
import type { TlsFiles } from './tls-listener.ts';

/** The settings of every service's HTTP interface. */
export interface HttpConfig {
  readonly HOST: string;
  readonly TRUSTED_PROXIES: readonly string[];
  readonly TRUSTED_PROXY_HEADERS: TrustedProxies['headers'];
  readonly OPERATIONS_HOST: string;
  readonly OPERATIONS_PORT?: number | undefined;
  readonly TLS_CERT_FILE?: string | undefined;
  readonly TLS_KEY_FILE?: string | undefined;
  readonly TLS_RELOAD_SECONDS: number;
}

/** The settings of an HTTP server besides its address. */
export interface HttpSettings {
  /** The proxies that are trusted to report the origin of requests. */
  readonly trustedProxies: TrustedProxies;
  /** Set where the server speaks HTTPS. */
  readonly tls?: TlsFiles;
  /** A separate listener for health and metrics; without it they are served beside the routes. */
  readonly operations?: { readonly host: string; readonly port: number };
}

const isLoopback = createNetworkList(['127.0.0.0/8', '::1/128']);

/**
 * The part of a service's configuration that its HTTP server needs.
 * @throws Error if one of the TLS files is missing, or if other machines could read health and metrics
 */
export function httpSettingsOf(config: HttpConfig): HttpSettings {
  const { HOST: host, OPERATIONS_HOST, OPERATIONS_PORT } = config;
  if (OPERATIONS_PORT === undefined && host !== 'localhost' && !isLoopback(host)) {
    throw new Error(
      `HOST ${host} can be reached from other machines: set OPERATIONS_PORT, so that health and metrics are served apart`,
    );
  }
  const tls = tlsFilesOf(config);
  return {
    trustedProxies: { networks: config.TRUSTED_PROXIES, headers: config.TRUSTED_PROXY_HEADERS },
    ...(tls && { tls }),
    ...(OPERATIONS_PORT !== undefined && { operations: { host: OPERATIONS_HOST, port: OPERATIONS_PORT } }),
  };
}

function tlsFilesOf({ TLS_CERT_FILE, TLS_KEY_FILE, TLS_RELOAD_SECONDS }: HttpConfig): TlsFiles | undefined {
  if (TLS_CERT_FILE === undefined && TLS_KEY_FILE === undefined) return undefined;
  if (TLS_CERT_FILE === undefined) throw new Error('TLS_KEY_FILE is set without TLS_CERT_FILE: set both or neither');
  if (TLS_KEY_FILE === undefined) throw new Error('TLS_CERT_FILE is set without TLS_KEY_FILE: set both or neither');
  return { certFile: TLS_CERT_FILE, keyFile: TLS_KEY_FILE, reloadMs: TLS_RELOAD_SECONDS * 1_000 };
}

/** The maximum size of the address and the headers of a request together, in bytes. */
export const headerBytesAtMost = 32 * 1024;
