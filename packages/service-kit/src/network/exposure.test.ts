import { expect, test } from 'vitest';
import { exposureOf } from './exposure.ts';

const exposure = (address: string, publishedAddress?: string) =>
  exposureOf({ listener: ['HOST', address], publishedAddress });

test.each(['127.0.0.1', '127.8.9.10', '::1', '[::1]', 'localhost', 'LOCALHOST', '::ffff:127.0.0.1', '0:0:0:0:0:0:0:1'])(
  '%s is on loopback',
  (address) => {
    expect(exposure(address)).toBeUndefined();
    expect(exposure('0.0.0.0', address)).toBeUndefined();
  },
);

test.each([
  '0.0.0.0',
  '::',
  '192.0.2.7',
  '10.0.0.1',
  '::ffff:192.0.2.7',
  'files.example.org',
  'localhost.example.org',
  '127.1',
  '',
])('%s can be reached from other machines', (address) => {
  expect(exposure(address)).toBe(`HOST=${address}`);
  expect(exposure('127.0.0.1', address)).toBe(`PUBLISHED_ADDRESS=${address}`);
});
