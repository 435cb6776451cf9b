import { expect, it } from 'vitest';
import { createReadTurns } from './read-turns.ts';

/** Reads that end when they are told to. */
function createReads() {
  const turns = createReadTurns({ inAll: 3, ofUser: 2, waiting: 2 });
  const ends = new Map<string, () => void>();
  const read = (name: string) =>
    turns(
      name.slice(0, 1),
      () =>
        new Promise<string>((resolve) => {
          ends.set(name, () => {
            ends.delete(name);
            resolve(name);
          });
        }),
    );
  return { read, running: () => [...ends.keys()].join(' '), end: (name: string) => ends.get(name)?.(), turns };
}

it('a user with many reads delays those of others at most until one of all has ended', async () => {
  const { read, running, end } = createReads();
  const reads = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map(read);
  await Promise.resolve();
  expect(running()).toBe('a1 a2 b1');
  end('a1');
  await reads[0];
  await expect.poll(running).toBe('a2 b1 a3');
  end('b1');
  await reads[4];
  await expect.poll(running).toBe('a2 a3 b2');
  for (const name of ['a2', 'a3', 'b2']) end(name);
  await expect.poll(running).toBe('a4');
  end('a4');
  expect(await Promise.all(reads)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
});

it('a user whose reads wait is refused more of them, and others are not', async () => {
  const { read, running } = createReads();
  void Promise.all(['a1', 'a2', 'a3', 'a4'].map(read));
  await expect(read('a5')).rejects.toMatchObject({ code: 'too_many_requests' });
  void read('b1');
  await expect.poll(running).toBe('a1 a2 b1');
});

it('a read that fails ends its turn', async () => {
  const { turns, read, running } = createReads();
  const failing = Array.from({ length: 2 }, () => turns('a', () => Promise.reject(new Error('lost'))));
  const results = await Promise.allSettled(failing);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  void read('a1');
  await expect.poll(running).toBe('a1');
});
