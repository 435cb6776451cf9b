import { followValue, type Follower } from '@waybill/service-kit/follow-value';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { KeyPair } from './key-pair.ts';
import { type KeyPairFiles, readKeyPair } from './read-key-pair.ts';

/** The files to follow, and the callbacks. */
export interface FollowedKeyPair {
  readonly files: KeyPairFiles;
  /** How often the files are read. */
  readonly intervalMs: number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'gauge' | 'counter'>;
  /** Uses a pair: the first one and each changed one. A rejection counts as a failed reload. */
  use(pair: KeyPair): void | Promise<void>;
}

/**
 * Uses the pair in the files now and whenever it changes. If a changed pair is invalid, the previous one stays in use.
 * @throws Error if the first pair is invalid
 */
export async function followKeyPair(followed: FollowedKeyPair): Promise<Follower<KeyPair>> {
  const { files, intervalMs, use } = followed;
  const events = createEvents(followed);
  return followValue({
    read: () => readKeyPair(files),
    isSame: (a, b) => a.cert === b.cert && a.key === b.key,
    use: async (pair) => {
      await use(pair);
      events.used(pair);
    },
    refused: events.refused,
    intervalMs,
  });
}

function createEvents({ logger, metrics, files }: FollowedKeyPair) {
  const expiry = metrics.gauge({
    name: 'waybill_tls_certificate_expiry_timestamp_seconds',
    help: 'When the TLS certificate in use expires, in seconds since 1970',
  });
  const failures = metrics.counter({
    name: 'waybill_tls_reload_failures_total',
    help: 'Changed TLS certificates or keys that were rejected',
  });
  return {
    used: (pair: KeyPair): void => {
      expiry.set(Math.floor(pair.expiresAt.getTime() / 1_000));
      const { certFile } = files;
      const { fingerprint, validFrom, expiresAt } = pair;
      logger.info({ certFile, fingerprint, expiresAt }, 'TLS certificate in use');
      const nowMs = Date.now();
      if (nowMs < validFrom.getTime() || nowMs > expiresAt.getTime()) {
        logger.warn({ certFile, validFrom, expiresAt }, 'the TLS certificate is not valid today: clients refuse it');
      }
    },
    refused: (error: unknown): void => {
      failures.inc();
      logger.error({ err: error }, 'the changed TLS certificate is invalid: the previous one stays in use');
    },
  };
}
