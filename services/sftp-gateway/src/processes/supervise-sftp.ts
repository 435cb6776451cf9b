import cluster from 'node:cluster';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { mergeSnapshots } from '@waybill/service-kit/telemetry/metrics';
import { loadHostKeys } from '../adapters/follow-host-keys.ts';
import { createRedisSessionTerminator } from '../adapters/redis-session-terminator.ts';
import type { Config } from '../config.ts';
import type { Gateway } from '../open-gateway.ts';
import type { OpenedSftp } from '../open-sftp.ts';
import { ProcessSlot } from './process-slot.ts';

/**
 * SFTP served by several processes. They share the port through node:cluster, where this process accepts and passes
 * each connection to the next in turn. With `reusePort` the kernel would choose by a hash of the addresses: of eight
 * partners half might share one process, and connections that wait on the port of a process that ends are reset; here
 * they go to another.
 */
export async function superviseSftp(context: ServiceContext<Config>, gateway: Gateway): Promise<OpenedSftp> {
  const { config, metrics, health, resources } = context;
  const { redis, subscriber, server, events } = gateway;
  // Errors in them are reported here, once.
  await loadHostKeys(config.SFTP_HOST_KEY_DIR, config.SFTP_HOST_KEY_TYPES);
  const failed = events.registryBroke;
  const terminateOwn = () => Promise.resolve(false);
  const terminator = await createRedisSessionTerminator({ redis, subscriber, server, terminateOwn, failed });
  const slots = Array.from({ length: config.SFTP_PROCESSES }, (_, index) => new ProcessSlot(index + 1, events));
  health.addCheck('processes', () => Promise.all(slots.map((slot) => slot.requireReady())));

  return {
    terminator,
    metrics: {
      ...metrics,
      text: async () => {
        const ofSlots = await Promise.all(slots.map((slot) => slot.snapshots()));
        return mergeSnapshots([await metrics.snapshot(), ...ofSlots.flat()]).text();
      },
    },
    listen: async () => {
      cluster.schedulingPolicy = cluster.SCHED_RR;
      resources.defer(() => stopAll(slots));
      const [first, ...others] = slots;
      // What keeps one from starting (the port is in use) keeps all from it: it is reported once.
      const port = await first?.start();
      await Promise.all(others.map((slot) => slot.start()));
      return port ?? config.SFTP_PORT;
    },
  };
}

async function stopAll(slots: readonly ProcessSlot[]): Promise<void> {
  const outcomes = await Promise.allSettled(slots.map((slot) => slot.stop()));
  const reasons = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as Error);
  if (reasons.length > 0) throw new AggregateError(reasons, reasons.map(({ message }) => message).join('; '));
}
