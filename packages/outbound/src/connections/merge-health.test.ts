import { expect, it } from 'vitest';
import type { ConnectionHealth } from './connection-health.ts';
import { createOtherProcesses, mergeHealth } from './merge-health.ts';

const quiet: ConnectionHealth = {
  name: 'acme',
  inUse: 0,
  idle: 0,
  waiting: 0,
  isOpen: false,
  nextAttemptAt: undefined,
  lastSuccessAt: undefined,
  lastFailure: undefined,
};
const at = (second: number): Date => new Date(second * 1_000);
const failure = (second: number) => ({ at: at(second), code: 'connection_failed', message: `at ${second}` });

it('adds up what processes use, and takes the last of what has happened', () => {
  const one = { ...quiet, inUse: 1, waiting: 2, lastSuccessAt: at(5), lastFailure: failure(9) };
  const other = { ...quiet, inUse: 2, idle: 1, isOpen: true, nextAttemptAt: at(40), lastFailure: failure(7) };
  const both = { ...other, inUse: 3, waiting: 2, lastSuccessAt: at(5), lastFailure: failure(9) };
  const globex = { ...quiet, name: 'globex' };
  expect(mergeHealth([one, globex, other])).toEqual([both, globex]);
  expect(mergeHealth([other, one])).toEqual([both]);
});

it('keeps the last success and the last failure of processes that have ended, and nothing else of them', () => {
  const others = createOtherProcesses();
  others.hear('1', [{ ...quiet, inUse: 1, isOpen: true, nextAttemptAt: at(40), lastFailure: failure(7) }]);
  others.hear('2', [{ ...quiet, inUse: 1, lastSuccessAt: at(3) }]);
  expect(others.health()).toMatchObject([{ inUse: 2, isOpen: true }]);
  others.hear('1', undefined);
  expect(others.health()).toEqual([{ ...quiet, inUse: 1, lastSuccessAt: at(3), lastFailure: failure(7) }]);
  others.hear('2', undefined);
  others.hear('2', undefined);
  const left = { ...quiet, lastSuccessAt: at(3), lastFailure: failure(7) };
  expect(others.health()).toEqual([left]);
  others.forget('acme');
  expect(others.health()).toEqual([]);
});
