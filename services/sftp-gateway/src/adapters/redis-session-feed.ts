import type { RedisConnection } from '@waybill/redis/connect-redis';
import type { FeedListener, SessionFeed, SessionChange } from '../domain/sessions/session-feed.ts';
import { registryKeys } from './registry-keys.ts';
import { publishedChangesSchema } from './stored-session.ts';

/**
 * Subscribes to the changes of all processes. After an interruption listeners are told that they may have missed
 * changes.
 */
export async function createRedisSessionFeed(options: {
  /** Used for subscriptions only. */
  subscriber: RedisConnection;
  failed(error: unknown): void;
}): Promise<SessionFeed> {
  const { subscriber, failed } = options;
  const listeners = new Set<FeedListener>();
  subscriber.on('message', (channel, message) => {
    if (channel !== registryKeys.changes || listeners.size === 0) return;
    try {
      const changes = publishedChangesSchema.parse(JSON.parse(message));
      for (const listener of listeners) listener.changed(changes);
    } catch (error) {
      failed(error);
    }
  });
  subscriber.on('ready', () => {
    for (const listener of listeners) listener.missed();
  });
  await subscriber.subscribe(registryKeys.changes);
  return {
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Commands that Redis executes atomically. */
export type RedisStep = ReturnType<RedisConnection['multi']>;

/** Publishes changes to all gateways, as the last part of a step. */
export function publishChanges(step: RedisStep, changes: readonly SessionChange[]): RedisStep {
  return step.publish(registryKeys.changes, JSON.stringify(changes));
}
