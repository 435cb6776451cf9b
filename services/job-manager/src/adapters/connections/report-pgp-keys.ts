import type { Directory } from '@waybill/directory/directory';
import { describePublicKey } from '@waybill/pgp/pgp-key';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/** Reports when the PGP keys of the configuration expire, so that an alert comes before a partner cannot send any more. */
export function reportPgpKeys({
  directory,
  metrics,
}: {
  readonly directory: Pick<Directory, 'listPgpKeys'>;
  readonly metrics: Metrics;
}): void {
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
