import { expect, it } from 'vitest';
import { encodeFileSystem } from './encode-extended-replies.ts';

const valuesOf = (body: Buffer) => Array.from({ length: 11 }, (_, index) => Number(body.readBigUInt64BE(index * 8)));

it('encodes a file system in blocks, in the order of struct statvfs', () => {
  const body = encodeFileSystem({ totalBytes: 10 * 4_096 + 1, freeBytes: 3 * 4_096 + 1, readOnly: false });
  expect(body).toHaveLength(88);
  expect(valuesOf(body)).toEqual([4_096, 4_096, 10, 3, 3, 2 ** 32, 2 ** 32, 2 ** 32, 0, 2, 255]);
});

it('encodes how many files and folders are allowed, and are free, if there is a limit', () => {
  const figures = { totalBytes: 0, freeBytes: 0, totalEntries: 12, freeEntries: 7, readOnly: false };
  expect(valuesOf(encodeFileSystem(figures)).slice(5, 8)).toEqual([12, 7, 7]);
});

it('says so when nothing can be written, and never has clients divide by nothing', () => {
  const values = valuesOf(encodeFileSystem({ totalBytes: 0, freeBytes: 0, readOnly: true }));
  expect(values[2]).toBe(1);
  expect(values[9]).toBe(3);
});
