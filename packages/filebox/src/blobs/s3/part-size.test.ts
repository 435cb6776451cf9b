import { expect, test } from 'vitest';
import { partBytesOf, partsAtMost, firstPartBytes } from './part-size.ts';

test('a file of 16 GB is sent in parts of 8 MiB', () => {
  expect(partBytesOf(1)).toBe(firstPartBytes);
  expect(partBytesOf(2_000)).toBe(8 * 1024 ** 2);
  expect(partBytesOf(2_001)).toBe(16 * 1024 ** 2);
});

test('no part exceeds 128 MiB, and the parts that S3 allows hold 484 GiB', () => {
  const sizes = Array.from({ length: partsAtMost }, (_, index) => partBytesOf(index + 1));
  expect(Math.max(...sizes)).toBe(128 * 1024 ** 2);
  expect(Math.floor(sizes.reduce((sum, size) => sum + size, 0) / 1024 ** 3)).toBe(484);
});
