import { expect, test } from 'vitest';
import { prepareStatement } from './prepared-statement.ts';

test('each name is one parameter, however often it occurs', () => {
  const { text, parameters } = prepareStatement('n', 'SELECT :one, :two::text FROM t WHERE a = :one AND b = :oneMore');
  expect(text).toBe('SELECT $1, $2::text FROM t WHERE a = $1 AND b = $3');
  expect(parameters).toEqual(['one', 'two', 'oneMore']);
});
