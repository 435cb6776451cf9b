import type { Computation } from '../src/domain/workflows/computation.ts';
import { serveComputation } from '../src/tasks/serve-computation.ts';

/** Computations that do what tests need, by the parameter `does`. */
function begin({ does }: Readonly<Record<string, string>>): Computation {
  const update = updates[does ?? ''];
  if (!update) throw new Error(`there is no computation that does ${does}`);
  let bytes = 0;
  return {
    update: (chunk) => {
      bytes += chunk.length;
      update();
    },
    end: () => ({ bytes: String(bytes) }),
  };
}

const kept: number[][] = [];

const updates: Readonly<Record<string, () => unknown>> = {
  count: () => {},
  'compute endlessly': () => {
    for (;;);
  },
  throw: () => {
    throw new Error('the third byte is wrong');
  },
  'break its thread': () =>
    queueMicrotask(() => {
      throw new Error('the thread breaks');
    }),
  'break its thread later': () =>
    setTimeout(() => {
      throw new Error('the idle thread breaks');
    }, 0),
  'fill the memory': () => {
    for (;;) kept.push(Array.from({ length: 100_000 }, Math.random));
  },
  'see the environment': () => {
    if (Object.keys(process.env).length > 0) throw new Error('the thread has an environment');
  },
};

serveComputation(begin);
