import { expect, test } from 'vitest';
import { describeClient } from './describe-client.ts';

test('an ordinary description is kept', () => {
  expect(describeClient('SSH-2.0-OpenSSH_9.6')).toBe('SSH-2.0-OpenSSH_9.6');
  expect(describeClient(' curl/8.5.0 ')).toBe('curl/8.5.0');
});

test('control characters, separators and changes of direction are replaced', () => {
  expect(describeClient('a\0b\nc\u001B[31md\u202Ee\u2028f')).toBe('a?b?c?[31md?e?f');
});

test('half a surrogate pair becomes a replacement character, also where the text is cut', () => {
  expect(describeClient('x\uD83D')).toBe('x\uFFFD');
  expect(describeClient(`${'x'.repeat(199)}\u{1F600}`)).toBe(`${'x'.repeat(199)}\uFFFD`);
});

test('a long description is cut, and an empty one is none', () => {
  expect(describeClient('x'.repeat(1_000_000))).toHaveLength(200);
  expect([describeClient(undefined), describeClient(''), describeClient('  ')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
