import { filesetIdSchema } from '@waybill/contracts/values/fileset-id';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import type { FileEntry } from '../model/entry.ts';
import { parseMetadata, systemMetadataOf, systemMetadataPrefix, writableSystemKeys } from './system-metadata.ts';

const putAt = new Date('2026-01-02T03:04:05.678Z');
const file: FileEntry = {
  kind: 'file',
  id: filesetIdSchema.parse('7'),
  fileset: filesetIdSchema.parse('7'),
  vfsId: 'v',
  path: parseVirtualPath('/inbox/a.csv'),
  name: 'a.csv',
  owner: 'acme',
  createdAt: putAt,
  modifiedAt: putAt,
  storageClass: 'local',
  blobId: '0197a2c4-6f3b-7c1e-9d52-2f6e0c9b1a77',
  size: 5,
  sha256: '00',
  mediaType: 'text/csv',
  putAt,
  firstReadAt: undefined,
  lastReadAt: undefined,
  expiresAt: undefined,
  metadata: { colour: 'red' },
  systemMetadata: { DESCRIPTION: 'Invoices' },
  dfic: { dfiid: 'd', lcid: 'l:0', 'original_actor-filename': 'a.csv', original_size: '5', userAttrs: {} },
};

test('the two classes are distinguished by the prefix', () => {
  const parsed = parseMetadata({ colour: 'red', [`${systemMetadataPrefix}DESCRIPTION`]: 'Invoices' });
  expect(parsed).toEqual({
    metadata: { colour: 'red' },
    systemMetadata: { DESCRIPTION: 'Invoices' },
    expiresAt: undefined,
  });
});

test.each(writableSystemKeys)('%s can be written', (key) => {
  const value = key === 'EXPIRY_DATE' ? '2030-01-01T00:00:00Z' : 'x';
  expect(parseMetadata({ [systemMetadataPrefix + key]: value }).systemMetadata).toEqual({ [key]: value });
});

test.each([
  ['a read-only key', `${systemMetadataPrefix}FILE_LENGTH`, '5'],
  ['an unknown key', `${systemMetadataPrefix}NOPE`, '5'],
  ['the prefix alone', systemMetadataPrefix, '5'],
  ['an empty key', '', '5'],
  ['a key with a NUL in its value', 'k', 'a\0b'],
  ['an expiry date that is not a time', `${systemMetadataPrefix}EXPIRY_DATE`, 'tomorrow'],
])('%s is refused as a metadata key', (_, key, value) => {
  expect(() => parseMetadata({ [key]: value })).toThrow(expect.objectContaining({ code: 'metadata_key_refused' }));
});

test.each([
  ['k'.repeat(256), '5', `The metadata key '${'k'.repeat(40)}…' has more than 255 characters`],
  ['k', 'v'.repeat(4097), "The metadata key 'k' has a value of more than 4096 characters"],
])('%# a key or value beyond the limit is refused with the limit', (key, value, message) => {
  expect(() => parseMetadata({ [key]: value })).toThrow(
    expect.objectContaining({ code: 'metadata_key_refused', message }),
  );
});

test('a file has at most 256 keys of both classes, and 64 KiB of keys and values', () => {
  const description = { [`${systemMetadataPrefix}DESCRIPTION`]: 'x' };
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']));
  const refused = expect.objectContaining({ code: 'metadata_key_refused' }) as Error;
  expect(() => parseMetadata({ ...keys(255), ...description })).not.toThrow();
  expect(() => parseMetadata({ ...keys(256), ...description })).toThrow(refused);
  // Keys of 2 bytes with values of 4094 bytes, as 2047 characters.
  const bytes = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [String(10 + index), 'ř'.repeat(2047)]));
  expect(() => parseMetadata(bytes(16))).not.toThrow();
  expect(() => parseMetadata({ ...bytes(16), k: '' })).toThrow(refused);
});

test('an expiry date expires the file, an empty one removes the expiry', () => {
  const key = `${systemMetadataPrefix}EXPIRY_DATE`;
  expect(parseMetadata({ [key]: '2030-01-01T01:00:00+01:00' }).expiresAt).toEqual(new Date('2030-01-01T00:00:00Z'));
  expect(parseMetadata({ [key]: '' }).expiresAt).toBeNull();
});

test('a key with a special meaning in JavaScript is an ordinary key', () => {
  expect(Object.entries(parseMetadata(JSON.parse('{"__proto__":"x"}')).metadata)).toEqual([['__proto__', 'x']]);
});

test('the system class shows what the platform sets and what the user set, and leaves out unset keys', () => {
  expect(systemMetadataOf(file)).toEqual({
    [`${systemMetadataPrefix}ARRIVAL_DATE`]: '2026-01-02T03:04:05.678Z',
    [`${systemMetadataPrefix}DESCRIPTION`]: 'Invoices',
    [`${systemMetadataPrefix}FILE_LENGTH`]: '5',
    [`${systemMetadataPrefix}FORMAT`]: 'text/csv',
    [`${systemMetadataPrefix}ID_FILESET`]: '7',
    [`${systemMetadataPrefix}ORIGINAL_FILENAME`]: 'a.csv',
    [`${systemMetadataPrefix}ORIGINAL_FILESIZE`]: '5',
    [`${systemMetadataPrefix}SENDER`]: 'acme',
  });
});
