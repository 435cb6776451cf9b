import { listCertificates } from '@waybill/certificates/list-certificates';
import { authoritiesOf } from '@waybill/contracts/configuration/connections/client-connection';
import type { Directory } from '@waybill/directory/directory';
import { describePublicKey } from '@waybill/pgp/pgp-key';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

interface ReportParts {
  readonly directory: Pick<Directory, 'listPgpKeys' | 'listClientConnections'>;
  readonly metrics: Metrics;
}

/** Reports when the keys and certificates of the configuration expire, so that alerts come before a transfer fails. */
export function reportKeyExpiries(parts: ReportParts): void {
  reportPgpKeys(parts);
  reportSshKeys(parts);
  reportCertificates(parts);
}

/** PGP keys tell their end themselves. */
function reportPgpKeys({ directory, metrics }: ReportParts): void {
  // A key is read once: its text is what identifies it.
  const known = new Map<string, Promise<Date | undefined>>();
  metrics.gauge({
    name: 'waybill_pgp_key_expiry_seconds',
    help: 'When a PGP key of the configuration expires, as seconds since 1970; 0 for a key that cannot be read',
    labels: ['key', 'owner'],
    collect: async (gauge) => {
      const keys = await directory.listPgpKeys();
      gauge.reset();
      for (const { owner, key } of keys) {
        const expiry = known.get(key.publicKey) ?? expiryOf(key);
        known.set(key.publicKey, expiry);
        const expiresAt = await expiry;
        if (expiresAt) gauge.set({ key: key.name, owner }, expiresAt.getTime() / 1_000);
      }
      const inUse = new Set(keys.map(({ key }) => key.publicKey));
      for (const publicKey of known.keys()) if (!inUse.has(publicKey)) known.delete(publicKey);
    },
  });
}

async function expiryOf({ publicKey, name }: { publicKey: string; name: string }): Promise<Date | undefined> {
  const facts = await describePublicKey(publicKey, name).catch(() => undefined);
  return facts ? facts.expiresAt : new Date(0);
}

/** SSH keys have no end of their own: the configuration says until when a partner accepts one. */
function reportSshKeys({ directory, metrics }: ReportParts): void {
  metrics.gauge({
    name: 'waybill_ssh_key_expiry_seconds',
    help: 'Until when the server of a client connection accepts its private key (keyExpires), as seconds since 1970',
    labels: ['connection', 'owner'],
    collect: async (gauge) => {
      const connections = await directory.listClientConnections();
      gauge.reset();
      for (const { owner, connection } of connections) {
        if (connection.type !== 'sftp' || connection.keyExpires === undefined) continue;
        gauge.set({ connection: connection.name, owner }, Date.parse(connection.keyExpires) / 1_000);
      }
    },
  });
}

/** Of several authorities the first to expire counts: each may be the one that has signed the partner's certificate. */
function reportCertificates({ directory, metrics }: ReportParts): void {
  metrics.gauge({
    name: 'waybill_connection_certificate_expiry_seconds',
    help: 'When the first of the authorities that a client connection trusts expires, as seconds since 1970; 0 for a certificate that cannot be read',
    labels: ['connection', 'owner'],
    collect: async (gauge) => {
      const connections = await directory.listClientConnections();
      gauge.reset();
      for (const { owner, connection } of connections) {
        const certificates = listCertificates(authoritiesOf(connection));
        if (certificates.length === 0) continue;
        const ends = certificates.map(({ expiresAt }) => expiresAt?.getTime() ?? 0);
        gauge.set({ connection: connection.name, owner }, Math.min(...ends) / 1_000);
      }
    },
  });
}
