import type { Database } from '@waybill/postgres/database';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { followKeySet } from '@waybill/signing-keys/follow-key-set';
import { createKeyEvents } from '@waybill/signing-keys/key-events';
import type { KeySet, NamedKey } from '@waybill/signing-keys/key-set';
import { loadTrustedKeys } from './adapters/load-trusted-keys.ts';
import { auditKeyStore, type AuditSigningKey } from './audit-key-store.ts';
import type { Config } from './config.ts';
import { createTrustedKeys } from './domain/keys/trusted-keys.ts';
import type { LogKeys } from './domain/log/choose-key.ts';
import type { AuditServiceEvents } from './events.ts';

/**
 * Follows the files of the keys. The next key is trusted before it signs, so that no process refuses its signatures.
 * The active key vouches for a previous one in the database, whose file may then be removed.
 */
export async function followLogKeys(
  { config, logger, metrics, resources }: ServiceContext<Config>,
  { db, events }: { db: Database; events: Pick<AuditServiceEvents, 'keysUnknown'> },
): Promise<LogKeys> {
  const { AUDIT_TRUSTED_PUBLIC_KEYS: trustedBySetting, AUDIT_REVOKED_PUBLIC_KEYS: revoked } = config;
  let trusted = createTrustedKeys([]);
  const take = async ({ active, next, previous }: KeySet<NamedKey, AuditSigningKey>): Promise<void> => {
    const retired = previous.map(({ kid }) => kid);
    const named = [...trustedBySetting, ...retired, ...(next ? [next.kid] : [])];
    const loaded = await loadTrustedKeys(db, { signer: active, named, retired, revoked });
    if (loaded.unknown.length > 0) events.keysUnknown(loaded.unknown);
    ({ trusted } = loaded);
  };
  const keys = resources.use(
    await followKeySet(auditKeyStore(config.AUDIT_SIGNING_KEY_FILE), {
      intervalMs: config.KEY_RELOAD_SECONDS * 1_000,
      events: createKeyEvents(logger, metrics),
      take,
    }),
  );
  return {
    get signer() {
      return keys.current.active;
    },
    get trusted() {
      return trusted;
    },
    reload: () => keys.look(),
  };
}
