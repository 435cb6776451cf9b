import { CodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';

const limits = { failuresAtMost: 3, pauseMs: 1_000, longestPauseMs: 3_000 };

function rig() {
  const clock = { ms: 0 };
  const breaker = createCircuitBreaker('acme', limits, () => clock.ms);
  let attempts = 0;
  const attempt = (outcome: () => Promise<string>) =>
    breaker
      .attempt(() => {
        attempts += 1;
        return outcome();
      })
      .catch((error: unknown) => (error instanceof CodedError ? error.code : String(error)));
  const dead = () => Promise.reject(new CodedError('connection_failed'));
  return { clock, breaker, attempt, dead, attempts: () => attempts };
}

const alive = () => Promise.resolve('connected');

describe('a circuit breaker', () => {
  it('leaves a dead partner alone: a hundred steps cost it three attempts', async () => {
    const { attempt, dead, attempts, breaker } = rig();
    for (let step = 0; step < 100; step += 1) await attempt(dead);
    expect(attempts()).toBe(3);
    expect(await attempt(alive)).toBe('connection_suspended');
    expect(breaker.isOpen).toBe(true);
  });

  it('sends one probe after the pause, and connects all again when it succeeds', async () => {
    const { attempt, dead, clock, breaker } = rig();
    for (let step = 0; step < 3; step += 1) await attempt(dead);
    clock.ms = 1_000;
    const { promise, resolve } = Promise.withResolvers<string>();
    const probe = attempt(() => promise);
    expect(await attempt(alive)).toBe('connection_suspended');
    resolve('connected');
    expect(await probe).toBe('connected');
    expect(await attempt(alive)).toBe('connected');
    expect(breaker.isOpen).toBe(false);
  });

  it('waits longer after each failed probe, up to a limit', async () => {
    const { attempt, dead, clock, attempts } = rig();
    for (let step = 0; step < 3; step += 1) await attempt(dead);
    const probedAt: number[] = [];
    for (clock.ms = 0; clock.ms < 13_000; clock.ms += 100) {
      const before = attempts();
      await attempt(dead);
      if (attempts() > before) probedAt.push(clock.ms);
    }
    expect(probedAt).toEqual([1_000, 3_000, 6_000, 9_000, 12_000]);
  });

  it('opens for refused logins, and not for aborts and for refusals on this side', async () => {
    const { attempt, breaker } = rig();
    for (let step = 0; step < 10; step += 1) {
      await attempt(() => Promise.reject(new Error('aborted')));
      await attempt(() => Promise.reject(new CodedError('destination_refused')));
    }
    expect(breaker.isOpen).toBe(false);
    for (let step = 0; step < 3; step += 1) await attempt(() => Promise.reject(new CodedError('remote_refused')));
    expect(breaker.isOpen).toBe(true);
  });

  it('begins to count again after a success', async () => {
    const { attempt, dead, breaker } = rig();
    for (const outcome of [dead, dead, alive, dead, dead]) await attempt(outcome);
    expect(breaker.isOpen).toBe(false);
  });
});
