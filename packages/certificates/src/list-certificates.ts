import { X509Certificate } from 'node:crypto';

/** A certificate of several; one that cannot be read has no end. */
export interface ListedCertificate {
  /** Such as `CN=Example CA, O=Example`; empty if it cannot be read. */
  readonly subject: string;
  readonly expiresAt: Date | undefined;
}

const certificates = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/gu;

/** The certificates of a text in PEM format, each once. */
export function listCertificates(pem: string): ListedCertificate[] {
  const found = new Map<string, ListedCertificate>();
  for (const [text] of pem.matchAll(certificates)) {
    const certificate = readCertificate(text);
    found.set(JSON.stringify(certificate), certificate);
  }
  return [...found.values()];
}

function readCertificate(text: string): ListedCertificate {
  try {
    const { subject, validToDate } = new X509Certificate(text);
    // A subject can be empty, and of any length.
    return { subject: (subject ?? '').split('\n').join(', ').slice(0, 500), expiresAt: validToDate };
  } catch {
    return { subject: '', expiresAt: undefined };
  }
}
