import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseBody, valuesOf } from './parse-body.ts';

const form = { kind: 'form', schema: z.unknown() } as const;
const parse = (text: string) => parseBody(form, Buffer.from(text));

describe('a form', () => {
  it('has a text for a field that it has once, and a list for one that it repeats', () => {
    expect(parse('a=1&b=2&a=3&c=&a=%C3%A9')).toEqual({ a: ['1', '3', 'é'], b: '2', c: '' });
    expect(parse('')).toEqual({});
  });

  it('may have a field of any name', () => {
    const values = parse('__proto__=1&constructor=2&toString=3');
    expect(JSON.stringify(values)).toBe('{"__proto__":"1","constructor":"2","toString":"3"}');
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
  });

  it.each([
    ['of one name', 'a=1'],
    ['without names', ''],
  ])('of 10 100 fields %s is read, and of one more refused', (_what, field) => {
    const of = (count: number) => Array.from({ length: count }, () => field).join('&');
    expect(() => parse(of(10_100))).not.toThrow();
    expect(() => parse(of(10_101))).toThrow('The form has more than 10100 fields');
  });

  it('that is not UTF-8 is refused', () => {
    let code: unknown;
    try {
      parseBody(form, Buffer.from([0x61, 0x3d, 0xff]));
    } catch (error) {
      code = isCodedError(error) && error.code;
    }
    expect(code).toBe('malformed_body');
  });
});

it('many values of different names are read in one pass', () => {
  let passes = 0;
  const fields = Array.from({ length: 100_000 }, (_, n): [string, string] => [`n${n}`, '']);
  const counted = {
    *[Symbol.iterator]() {
      passes += 1;
      yield* fields;
    },
  };
  expect(Object.keys(valuesOf(counted))).toHaveLength(100_000);
  expect(passes).toBe(1);
});
