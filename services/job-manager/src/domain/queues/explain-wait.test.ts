import { expect, test } from 'vitest';
import { explainWait, type WaitFacts } from './explain-wait.ts';

const free: WaitFacts = {
  begun: false,
  ahead: 0,
  queue: { name: 'q', running: 0, parallelism: 8 },
  workers: { count: 2, capacity: 16, running: 0 },
};
const delayedUntil = new Date('2026-11-22T20:15:30.500Z');
const closed = { kind: 'queueDisabled', message: 'The queue is disabled' } as const;
const full = { name: 'q', running: 8, parallelism: 8 };
const busy = { count: 2, capacity: 16, running: 16 };
const none = { count: 0, capacity: 0, running: 0 };

test.each<[string, string, Partial<WaitFacts>]>([
  ['turn', 'It is the next job of its queue', {}],
  ['turn', 'It waits for its turn; 1 job of the queue goes first', { ahead: 1 }],
  ['turn', 'It waits for its turn; 1000 jobs or more of the queue go first', { ahead: 1_000 }],
  ['queueFull', "Queue 'q' is full: 8 of 8 jobs run", { queue: full }],
  [
    'queueFull',
    "Queue 'q' is full: 8 of 8 jobs run; 7 jobs of the queue go first",
    { queue: full, ahead: 7, workers: busy },
  ],
  [
    'workersBusy',
    'All workers are busy: they run 16 of 16 jobs; 2 jobs of the queue go first',
    { workers: busy, ahead: 2 },
  ],
  ['noWorker', 'No worker runs', { workers: none, queue: full }],
  ['queueDisabled', 'The queue is disabled', { closed, workers: none, queue: full }],
  ['noWorker', 'No worker runs', { closed, workers: none, begun: true }],
  [
    'newerWorker',
    'Waiting for a newer worker: those that run do not understand task a, field b',
    { begun: true, needs: ['task a', 'field b'], workers: none },
  ],
  ['delay', 'It waits until 2026-11-22 20:15:30 (UTC)', { delayedUntil, closed, workers: none }],
  ['turn', 'It is the next job of its queue', { queue: { name: 'q', running: 3 }, begun: true }],
])('%s: %s', (kind, message, facts) => {
  expect(explainWait({ ...free, ...facts })).toMatchObject({ kind, message });
});
