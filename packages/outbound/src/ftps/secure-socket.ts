import { isIP, type Socket } from 'node:net';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { ConnectionOf } from '@waybill/contracts/configuration/connections/client-connection';
import { CodedError } from '@waybill/contracts/errors/coded-error';

/** How the certificate of a server is checked. */
export interface CertificateRules {
  readonly options: ConnectionOptions;
  /** Throws if the certificate is not pinned. A resumed session was checked before. */
  verify(socket: TLSSocket): void;
}

/** TLS 1.2 or later; the certificate is verified for the host, or is one of the pinned ones. */
export function certificateRules(connection: ConnectionOf<'ftps'>): CertificateRules {
  const { name, host, certificateAuthorities, certificateFingerprints } = connection;
  const pins = certificateFingerprints && new Set(certificateFingerprints.map((pin) => pin.toUpperCase()));
  return {
    options: {
      host,
      // A server name is a name (RFC 6066, section 3); an address is compared with the certificate only.
      servername: isIP(host) === 0 ? host : '',
      minVersion: 'TLSv1.2',
      // Pins replace the authorities: each handshake passes `verify` before a byte is sent or read.
      rejectUnauthorized: pins === undefined,
      ...(certificateAuthorities !== undefined && { ca: certificateAuthorities }),
    },
    verify: (socket) => {
      if (pins === undefined || socket.isSessionReused()) return;
      const shown = socket.getPeerX509Certificate()?.fingerprint256;
      if (shown !== undefined && pins.has(shown)) return;
      const detail = `${name}: the server has the certificate ${shown ?? 'without a fingerprint'}, which is not pinned`;
      throw new CodedError('destination_refused', { detail });
    },
  };
}

/** Resolves when the handshake is complete and the certificate is accepted; the socket is destroyed otherwise. */
export async function secureSocket(socket: Socket, { options, verify }: CertificateRules): Promise<TLSSocket> {
  const secure = connect({ ...options, socket });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = (): void => reject(new Error('the server has closed the connection during the TLS handshake'));
  secure.once('secureConnect', () => resolve());
  secure.once('error', reject);
  secure.once('close', onClose);
  try {
    await promise;
    verify(secure);
  } catch (error) {
    secure.on('error', () => {});
    secure.destroy();
    throw error;
  }
  secure.removeListener('error', reject);
  secure.removeListener('close', onClose);
  return secure;
}
