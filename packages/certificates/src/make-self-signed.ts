// The decorators of `@peculiar/x509` require this import first.
import 'reflect-metadata';
import { createPrivateKey, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type JsonGeneralName,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** The parameters of a certificate. */
export interface SelfSignedOptions {
  /** Host names and IP addresses that it is valid for; the first one is its subject. */
  readonly names: readonly string[];
  readonly days: number;
}

const dayMs = 86_400_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Generates a P-256 key and a self-signed certificate, both as PEM. */
export async function makeSelfSigned({ names, days }: SelfSignedOptions): Promise<{ cert: string; key: string }> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const nowMs = Date.now();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    keys,
    name: [{ CN: [names[0] ?? 'localhost'] }],
    // Positive and not zero, as RFC 5280 section 4.1.2.2 requires.
    serialNumber: `4${randomBytes(15).toString('hex')}0`,
    // Clocks may differ.
    notBefore: new Date(nowMs - dayMs / 24),
    notAfter: new Date(nowMs + days * dayMs),
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names.map(alternativeName)),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return { cert: `${certificate.toString('pem')}\n`, key: key.export({ format: 'pem', type: 'pkcs8' }).toString() };
}

function alternativeName(name: string): JsonGeneralName {
  return { type: isIP(name) === 0 ? 'dns' : 'ip', value: name };
}
