import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** A certificate with its private key. */
export interface KeyPair {
  /** The certificate, followed by those of its issuers (PEM). */
  readonly cert: string;
  /** The private key (PEM, not encrypted). */
  readonly key: string;
  readonly validFrom: Date;
  readonly expiresAt: Date;
  /** SHA-256 of the certificate, as `AB:CD:...`. */
  readonly fingerprint: string;
}

/**
 * Checks that a certificate and a key belong together and that OpenSSL accepts both. An expired certificate is
 * accepted: clients refuse it with a clear message, which a service that does not start cannot give. @throws Error
 * with a one-sentence reason
 */
export function parseKeyPair(cert: string, key: string): KeyPair {
  const certificate = parseCertificate(cert);
  if (!certificate.checkPrivateKey(parseKey(key))) throw new Error('the key does not belong to the certificate');
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new Error(`OpenSSL refuses the pair: ${reasonOf(cause)}`, { cause });
  }
  return {
    cert,
    key,
    validFrom: certificate.validFromDate,
    expiresAt: certificate.validToDate,
    fingerprint: certificate.fingerprint256,
  };
}

function parseCertificate(cert: string): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch (cause) {
    throw new Error('the certificate file holds no certificate in PEM form', { cause });
  }
}

function parseKey(key: string): KeyObject {
  try {
    return createPrivateKey(key);
  } catch (cause) {
    const isEncrypted = /ENCRYPTED/u.test(key);
    const reason = isEncrypted
      ? 'the key is encrypted: store it without a passphrase'
      : 'the key file holds no private key in PEM form';
    throw new Error(reason, { cause });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
