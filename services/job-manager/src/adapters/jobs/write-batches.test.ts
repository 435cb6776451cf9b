import { expect, it } from 'vitest';
import { createBatches } from './write-batches.ts';

class SqlError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Batches whose statements end when the test says so. */
function rig(decide: (items: readonly number[]) => (string | undefined)[] = (items) => items.map(String), limit = 10) {
  const statements: { items: readonly number[]; end: () => void }[] = [];
  const alone: number[] = [];
  const write = createBatches<number, string>({
    limit,
    writeAll: async (items) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      statements.push({ items, end: resolve });
      await promise;
      return decide(items);
    },
    writeOne: (item) => {
      alone.push(item);
      return item < 0 ? Promise.reject(new SqlError('22P05')) : Promise.resolve(`alone ${item}`);
    },
  });
  return { write, statements, alone };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}

it('writes what comes together in one statement, and what comes during it in the next', async () => {
  const { write, statements } = rig();
  const first = [write(1), write(2)];
  await settle();
  const later = [write(3), write(4), write(5)];
  await settle();
  expect(statements.map(({ items }) => items)).toEqual([[1, 2]]);
  statements[0]?.end();
  expect(await Promise.all(first)).toEqual(['1', '2']);
  await settle();
  expect(statements.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  statements[1]?.end();
  expect(await Promise.all(later)).toEqual(['3', '4', '5']);
});

it('writes no more in one statement than its limit', async () => {
  const { write, statements } = rig(undefined, 2);
  const written = [write(1), write(2), write(3)];
  for (let index = 0; index < 2; index += 1) {
    await settle();
    statements[index]?.end();
  }
  expect(await Promise.all(written)).toEqual(['1', '2', '3']);
  expect(statements.map(({ items }) => items)).toEqual([[1, 2], [3]]);
});

it('writes an item alone that the statement has not decided, and waits for it with no other', async () => {
  const { write, statements, alone } = rig((items) => items.map((item) => (item === 2 ? undefined : String(item))));
  const written = [write(1), write(2), write(3)];
  await settle();
  statements[0]?.end();
  expect(await Promise.all(written)).toEqual(['1', 'alone 2', '3']);
  expect(alone).toEqual([2]);
});

it.each(['22P05', '23505', '40P01'])('writes each alone when PostgreSQL refuses them with %s', async (code) => {
  const { write, statements } = rig(() => {
    throw new SqlError(code);
  });
  const written = Promise.allSettled([write(1), write(-2), write(3)]);
  await settle();
  statements[0]?.end();
  expect(await written).toEqual([
    { status: 'fulfilled', value: 'alone 1' },
    { status: 'rejected', reason: new SqlError('22P05') },
    { status: 'fulfilled', value: 'alone 3' },
  ]);
});

it.each([new SqlError('57P01'), new SqlError('08006'), new Error('Connection terminated')])(
  'repeats nothing after %s: it may have been committed',
  async (failure) => {
    const { write, statements, alone } = rig(() => {
      throw failure;
    });
    const written = Promise.allSettled([write(1), write(2)]);
    await settle();
    statements[0]?.end();
    expect(await written).toEqual([
      { status: 'rejected', reason: failure },
      { status: 'rejected', reason: failure },
    ]);
    expect(alone).toEqual([]);
    // The next ones are written as usual.
    const next = write(3);
    await settle();
    expect(statements).toHaveLength(2);
    statements[1]?.end();
    await expect(next).rejects.toBe(failure);
  },
);
