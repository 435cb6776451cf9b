import { stat } from 'node:fs/promises';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { NamedKey } from './key-set.ts';
import type { KeyStore } from './key-store.ts';
import { readKeyStore } from './load-key-set.ts';

/** An active key that is to be replaced. */
export interface PlannedRotation {
  readonly purpose: string;
  readonly kid: string;
  /** It signs after this time, too: a rotation is done by a person. */
  readonly dueAt: Date;
}

/** The parts of `createRotationPlan`. */
export interface RotationPlanOptions {
  readonly stores: readonly KeyStore<NamedKey>[];
  /** The age at which an active key is to be replaced; 0: there is no plan. */
  readonly days: number;
  readonly metrics: Pick<Metrics, 'gauge'>;
}

const dayMs = 86_400_000;

/**
 * Reads when the active keys are to be replaced: `days` after their files were written. A key that cannot be read
 * keeps the time that was read before. Never rejects.
 */
export function createRotationPlan({
  stores,
  days,
  metrics,
}: RotationPlanOptions): () => Promise<readonly PlannedRotation[]> {
  if (days === 0) return () => Promise.resolve([]);
  const gauge = metrics.gauge({
    name: 'waybill_signing_key_rotation_timestamp_seconds',
    help: 'When the active signing key is to be replaced, in seconds since 1970, by purpose',
    labels: ['purpose'],
  });
  const readers = stores.map((store) => createRotationReader(store, days));
  return async () => {
    const rotations = (await Promise.all(readers.map((read) => read()))).filter((one) => one !== undefined);
    for (const { purpose, dueAt } of rotations) gauge.set({ purpose }, Math.floor(dueAt.getTime() / 1_000));
    return rotations;
  };
}

/** Reads the key again only when its file has changed. */
function createRotationReader(store: KeyStore<NamedKey>, days: number): () => Promise<PlannedRotation | undefined> {
  let known: { readonly version: string; readonly rotation: PlannedRotation } | undefined;
  return async () => {
    try {
      const { mtimeMs, ino, size } = await stat(store.file);
      const version = `${mtimeMs} ${ino} ${size}`;
      if (known?.version !== version) {
        const { active } = await readKeyStore(store);
        if (active === undefined) return known?.rotation;
        const { kid } = active.key;
        known = { version, rotation: { purpose: store.purpose, kid, dueAt: new Date(mtimeMs + days * dayMs) } };
      }
    } catch {
      // The follower of the keys reports it.
    }
    return known?.rotation;
  };
}
