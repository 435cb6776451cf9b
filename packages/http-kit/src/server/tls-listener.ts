import { constants } from 'node:crypto';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { followKeyPair } from '@waybill/certificates/follow-key-pair';
import type { KeyPair } from '@waybill/certificates/key-pair';
import type { KeyPairFiles } from '@waybill/certificates/read-key-pair';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/** The files of the certificate and the key of a listener, and how often they are read. */
export interface TlsFiles extends KeyPairFiles {
  readonly reloadMs: number;
}

/** TLS 1.2 and 1.3 with forward secrecy and authenticated encryption only (RFC 9325 section 4.2). */
const cipherSuites = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_AES_128_GCM_SHA256',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** A handshake that takes longer is a slow attack. */
const handshakeTimeoutMs = 15_000;

/** An HTTPS server without a certificate: every handshake fails until `useTlsFiles` has set one. */
export function createTlsServer(options: ServerOptions): Server {
  return createServer({ ...options, ...secureOptions, handshakeTimeout: handshakeTimeoutMs });
}

/**
 * Sets the certificate of the server from the files, now and whenever they change. Open connections keep the
 * certificate that they began with.
 * @throws Error if the first pair is invalid
 */
export function useTlsFiles(server: Server, parts: { files: TlsFiles; logger: Logger; metrics: Metrics }) {
  const { files } = parts;
  const use = ({ cert, key }: KeyPair): void => server.setSecureContext({ ...secureOptions, cert, key });
  return followKeyPair({ ...parts, intervalMs: files.reloadMs, use });
}

const secureOptions = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.3',
  ciphers: cipherSuites,
  honorCipherOrder: true,
  ecdhCurve: 'X25519MLKEM768:X25519:P-256:P-384',
  // One handshake for each connection: a renegotiation costs the server more than the client.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_COMPRESSION,
} as const satisfies SecureContextOptions;
