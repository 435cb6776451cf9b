import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rarestByteOf, seekByte } from './seek-byte.ts';

test('finds the next occurrence of a byte wherever the search begins and ends', () => {
  const byte = fc.constantFrom(0, 1, 2, 0x7f, 0x80, 0x81, 0xff);
  const place = fc.nat({ max: 24 });
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 24 }), byte, place, place, (values, wanted, from, to) => {
      const words = new Uint32Array(Math.ceil(values.length / 4));
      const bytes = new Uint8Array(words.buffer);
      bytes.set(values);
      const until = Math.min(to, values.length);
      const [expected = -1] = values.flatMap((value, at) => (value === wanted && at >= from && at < until ? [at] : []));
      expect(seekByte({ bytes, words }, wanted, from, until)).toBe(expected);
    }),
    { numRuns: 20_000 },
  );
});

test('the rarest byte of some texts is the first of those that occur least', () => {
  const frequencies = new Uint32Array(256);
  frequencies.set([5, 3, 3], 'a'.charCodeAt(0));
  expect(rarestByteOf([Buffer.from('a'), Buffer.from('cb')], frequencies)).toBe('c'.charCodeAt(0));
});
