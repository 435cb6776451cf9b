import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ReadParts } from './read-parts.ts';

const size = 60;
const part = fc
  .tuple(fc.nat({ max: size - 1 }), fc.nat({ max: size - 1 }))
  .map(([one, other]) => ({ start: Math.min(one, other), end: Math.max(one, other) + 1 }));

it('knows which bytes were read, whatever the order, and keeps no two parts that touch', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const read = new ReadParts();
      const bytes = new Set<number>();
      for (const { start, end } of parts) {
        read.add({ start, end });
        for (let at = start; at < end; at += 1) bytes.add(at);
      }
      const kept = read.all.flatMap(({ start, end }) =>
        Array.from({ length: end - start }, (_, index) => start + index),
      );
      expect(kept).toEqual([...bytes].toSorted((one, other) => one - other));
      for (const [index, { start }] of read.all.entries()) {
        if (index > 0) expect(start).toBeGreaterThan(read.all[index - 1]?.end ?? size);
      }
      expect(read.covers(size)).toBe(bytes.size === size);
    }),
  );
});

it('has all of an empty file', () => {
  expect(new ReadParts().covers(0)).toBe(true);
});

it('keeps no more than 200 parts, and still closes the gaps between those', () => {
  const read = new ReadParts();
  for (let index = 0; index < 300; index += 1) read.add({ start: index * 2, end: index * 2 + 1 });
  expect(read.all).toHaveLength(200);
  read.add({ start: 0, end: 399 });
  expect(read.all).toEqual([{ start: 0, end: 399 }]);
});
