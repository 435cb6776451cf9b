import type { Database } from '@waybill/postgres/database';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { JobConnections } from '../adapters/connections/open-outbound.ts';
import { type DeliveryFailure, failureOf } from '../adapters/deliveries/delivery-log.ts';
import { releaseReplay, settleReplay, type TakenReplay, takeReplays } from '../adapters/deliveries/replay-store.ts';
import { sendWebhook } from '../tasks/network/send-webhook.ts';
import type { Duty } from './duties.ts';

/** What replaying needs. */
export interface ReplayParts {
  readonly db: Database;
  readonly connections: Pick<JobConnections, 'connectionsOf'>;
  readonly metrics: Metrics;
}

const intervalMs = 1_000;

/** Replays at a time. */
const atATime = 10;

/** A replay takes no longer; a lease lasts longer than it. */
const timeoutMs = 60_000;
const leaseMs = 120_000;

/** Carries out the replays of webhooks that users have asked for: each once, or again if its worker was lost. */
export function replayingWebhooks({ db, connections, metrics }: ReplayParts): Duty {
  const replays = metrics.counter({
    name: 'waybill_webhook_replays_total',
    help: 'Replays of webhooks by this worker',
    labels: ['outcome'],
  });
  const replay = async (taken: TakenReplay, stopping: AbortSignal): Promise<void> => {
    const begun = performance.now();
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]);
    const answer: { status: number | null } = { status: null };
    const onStatus = (status: number): void => void (answer.status = status);
    const step = connections.connectionsOf({ job: taken, key: taken.webhookId });
    const failure = await sendWebhook(step, taken, { signal, onStatus }).then(
      (): DeliveryFailure => ({ error: null, reason: null }),
      (thrown: unknown) => failureOf(thrown, answer.status, signal),
    );
    if (failure.error !== null && stopping.aborted) {
      await releaseReplay(db, taken);
      return;
    }
    const durationMs = Math.round(performance.now() - begun);
    await settleReplay(db, taken, { durationMs, status: answer.status, ...failure });
    replays.inc({ outcome: failure.error === null ? 'delivered' : 'failed' });
  };
  const work = async (stopping: AbortSignal): Promise<void> => {
    for (let count = atATime; count === atATime && !stopping.aborted;) {
      const taken = await takeReplays(db, atATime, leaseMs);
      await Promise.all(taken.map((one) => replay(one, stopping)));
      count = taken.length;
    }
  };
  return { name: 'replay webhooks', intervalMs, work };
}
