import type { ReportedExpiry } from '@waybill/contracts/messages/service-presence';
import type { HttpServer } from './create-http-server.ts';

/** What a process reports to end. */
export interface ExpiryReport {
  readonly service: string;
  readonly server: Pick<HttpServer, 'certificate'>;
  /** Reads which active signing keys are to be replaced; never rejects. */
  readonly rotations?: () => Promise<
    readonly { readonly purpose: string; readonly kid: string; readonly dueAt: Date }[]
  >;
}

/** Reads what the presence of a process reports to end: the certificate of its listener, and its signing keys. */
export function reportExpiries({
  service,
  server,
  rotations = () => Promise.resolve([]),
}: ExpiryReport): () => Promise<{ expiring: ReportedExpiry[] }> {
  return async () => {
    const pair = server.certificate();
    const certificates = pair ? [{ name: service, detail: pair.fingerprint, expiresAt: pair.expiresAt }] : [];
    const keys = await rotations();
    return {
      expiring: [
        ...certificates.map((one) => ({ ...one, kind: 'tls-certificate' as const })),
        ...keys.map(({ purpose: name, kid: detail, dueAt: expiresAt }) => ({
          kind: name.startsWith('host-') ? ('host-key' as const) : ('signing-key' as const),
          name,
          detail,
          expiresAt,
        })),
      ].map((one) => ({ ...one, expiresAt: one.expiresAt.toISOString() })),
    };
  };
}
