import type { RedisConnection } from '@waybill/redis/connect-redis';
import type { SessionChange } from '../domain/sessions/session-feed.ts';
import { registryKeys } from './registry-keys.ts';

/** Commands that Redis carries out as one. */
export type RedisStep = ReturnType<RedisConnection['multi']>;

/** Tells all gateways of changes, as the last part of a step. */
export function publishChanges(step: RedisStep, changes: readonly SessionChange[]): RedisStep {
  return step.publish(registryKeys.changes, JSON.stringify(changes));
}
