import type { RedisConnection } from '@waybill/redis/connect-redis';
import type { SessionChange } from '../domain/sessions/session-feed.ts';
import { registryKeys } from './registry-keys.ts';

/** Commands that Redis executes atomically. */
export type RedisStep = ReturnType<RedisConnection['multi']>;

/** Publishes changes to all gateways, as the last part of a step. */
export function publishChanges(step: RedisStep, changes: readonly SessionChange[]): RedisStep {
  return step.publish(registryKeys.changes, JSON.stringify(changes));
}
