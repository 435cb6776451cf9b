import { expect, it } from 'vitest';
import { createKeyTurns } from './key-turns.ts';

it('runs one piece of work at a time, in order, and refuses those that find too many before them', async () => {
  const turns = createKeyTurns(2);
  const ends = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const began: number[] = [];
  const results = ends.map(({ promise }, index) =>
    turns(async () => {
      began.push(index);
      await promise;
      if (index === 1) throw new Error('the second fails');
      return index;
    }),
  );
  await expect(turns(() => Promise.resolve())).rejects.toMatchObject({
    code: 'too_many_requests',
    names: { retryAfterSeconds: '5' },
  });
  expect(began).toEqual([0]);
  ends[2]?.resolve();
  ends[1]?.resolve();
  ends[0]?.resolve();
  expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(began).toEqual([0, 1, 2]);
  expect(await turns(() => Promise.resolve('another'))).toBe('another');
});
