import { expect, test } from 'vitest';
import { parameterText } from './parameter-text.ts';

test.each([
  [undefined, null],
  [null, null],
  ['text', 'text'],
  [-1.5, '-1.5'],
  [true, 'true'],
  [{ a: [1] }, '{"a":[1]}'],
  [[], '{}'],
  [['a', 1, null, 'NULL', ''], '{"a","1",NULL,"NULL",""}'],
  [['"', '\\', 'a,b', '{}'], String.raw`{"\"","\\","a,b","{}"}`],
  [
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
    '{{"a","b"},{"c","d"}}',
  ],
  [[Buffer.from([1, 255])], String.raw`{"\\x01ff"}`],
  [new Date('2026-02-03T04:05:06.789Z'), '2026-02-03T04:05:06.789Z'],
  [new Date('+012345-02-03T04:05:06.789Z'), '12345-02-03T04:05:06.789Z'],
  [new Date('0000-02-03T04:05:06.789Z'), '0001-02-03T04:05:06.789Z BC'],
])('%j is the parameter %j', (value, text) => {
  expect(parameterText(value)).toBe(text);
});

test('what no number can hold is exact', () => {
  expect(parameterText(2n ** 60n)).toBe('1152921504606846976');
});

test('bytes stay bytes', () => {
  const bytes = Buffer.from([0, 1, 255]);
  expect(parameterText(bytes)).toBe(bytes);
});

test('what has no text is refused', () => {
  expect(() => parameterText(() => 1)).toThrow('a function cannot be a parameter');
  expect(() => parameterText(new Date('nonsense'))).toThrow(RangeError);
});
