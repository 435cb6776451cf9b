import { describe, expect, it } from 'vitest';
import { expirySchema } from './expiry.ts';

describe('expirySchema', () => {
  it.each([
    ['2027-03-31', '2027-04-01T00:00:00.000Z'],
    ['2028-02-28', '2028-02-29T00:00:00.000Z'],
    ['2027-03-31T12:00:00+02:00', '2027-03-31T10:00:00.000Z'],
  ])('ends %s at %s', (text, instant) => {
    expect(expirySchema.parse(text)).toBe(instant);
  });

  it.each(['2027-02-30', '31.3.2027', '2027-03-31T12:00:00', 'never', 20270331])('refuses %j', (value) => {
    const { error } = expirySchema.safeParse(value);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'is neither a day, such as 2027-03-31, nor an instant with its offset',
    ]);
  });
});
