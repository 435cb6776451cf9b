import { expect, it } from 'vitest';
import { followValue } from './follow-value.ts';

/** Follows a number that `read` gives, and only when asked to look. */
async function followNumber() {
  let source: number | Error = 1;
  const [used, refused]: [number[], unknown[]] = [[], []];
  const follower = await followValue<number>({
    read: async () => {
      if (source instanceof Error) throw source;
      return source;
    },
    isSame: (a, b) => a === b,
    use: (value) => void used.push(value),
    refused: (error) => void refused.push(error),
    intervalMs: 3_600_000,
  });
  const look = async (next: number | Error) => {
    source = next;
    await follower.look();
  };
  return { used, refused, look, [Symbol.asyncDispose]: () => follower[Symbol.asyncDispose]() };
}

it('uses the first value and each changed one', async () => {
  await using number = await followNumber();
  for (const value of [1, 2, 2, 3]) await number.look(value);
  expect(number.used).toEqual([1, 2, 3]);
});

it('does not report a value that is invalid at one read only, because two files are not replaced at once', async () => {
  await using number = await followNumber();
  await number.look(new Error('half'));
  await number.look(2);
  await number.look(new Error('half'));
  await number.look(3);
  expect(number.refused).toEqual([]);
  expect(number.used).toEqual([1, 2, 3]);
});

it('reports an invalid value once for each reason, and again after a valid one', async () => {
  await using number = await followNumber();
  const [half, none] = [new Error('half'), new Error('none')];
  for (const value of [half, half, half, none, none]) await number.look(value);
  expect(number.refused).toEqual([half, none]);
  for (const value of [2, none, none]) await number.look(value);
  expect(number.refused).toEqual([half, none, none]);
  expect(number.used).toEqual([1, 2]);
});
