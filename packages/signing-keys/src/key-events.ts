import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { keysOf, type KeySet, type NamedKey } from './key-set.ts';

/** Events about the keys of a process. */
export interface KeyEvents {
  /** These keys are now in use. */
  used(purpose: string, keys: KeySet<NamedKey>): void;
  /** Changed files are invalid: the previous keys stay in use. */
  refused(purpose: string, error: unknown): void;
}

/** Logs and counts. Create it once for each process. */
export function createKeyEvents(logger: Logger, metrics: Pick<Metrics, 'gauge' | 'counter'>): KeyEvents {
  const inForce = metrics.gauge({
    name: 'waybill_signing_key_info',
    help: 'Number of processes that use a signing key, by purpose, key id and role: active, next or previous',
    labels: ['purpose', 'kid', 'role'],
  });
  const failures = metrics.counter({
    name: 'waybill_signing_key_reload_failures_total',
    help: 'Changed files of signing keys that were rejected',
    labels: ['purpose'],
  });
  const told = new Map<string, KeySet<NamedKey>>();
  return {
    used: (purpose, keys) => {
      const before = told.get(purpose);
      for (const { role, key } of before ? keysOf(before) : []) inForce.remove({ purpose, kid: key.kid, role });
      for (const { role, key } of keysOf(keys)) inForce.set({ purpose, kid: key.kid, role }, 1);
      told.set(purpose, keys);
      const [active, next, previous] = [keys.active.kid, keys.next?.kid, keys.previous.map(({ kid }) => kid)];
      logger.info({ purpose, active, next, previous }, 'using these signing keys');
    },
    refused: (purpose, error) => {
      failures.inc({ purpose });
      logger.error({ purpose, err: error }, 'the changed signing keys are invalid: the previous ones stay in use');
    },
  };
}
