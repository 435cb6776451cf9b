import { expect, it } from 'vitest';
import { formatBytes } from './format-bytes.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1_023, '1,023 bytes'],
  [1_536, '1.5 KiB'],
])('says %s bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
