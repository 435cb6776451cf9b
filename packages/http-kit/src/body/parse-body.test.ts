import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseBody, valuesOf } from './parse-body.ts';
import { parseRequestPart } from './parse-request-part.ts';

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

const json = { kind: 'json', schema: z.unknown(), limitBytes: 32_000_000 } as const;
const anyValues = { ...json, limitValues: Infinity } as const;

const refusalOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    if (isCodedError(error)) return error;
    throw error;
  }
};

const many = (count: number, item: (at: number) => string, separator: string): string =>
  Array.from({ length: count }, (_, at) => item(at)).join(separator);

describe('a JSON body', () => {
  it.each([
    ['letters', 'x'.repeat(2_000_000)],
    ['quotes and braces', '{"a": ["\\\\"]},'.repeat(150_000)],
  ])('reads a long text of %s', (_, document) => {
    expect(parseBody(json, Buffer.from(JSON.stringify({ document })))).toEqual({ document });
  });

  it.each([
    ['objects', `[${many(400_000, () => '{}', ',')}]`],
    ['empty texts', `[${many(400_000, () => '""', ',')}]`],
    ['objects after a text with quotes', `["\\"", ${many(400_000, () => '{}', ',')}]`],
    ['blanks', ' '.repeat(1_100_000)],
    ['what is no JSON', 'x'.repeat(1_100_000)],
  ])('refuses more than a mebibyte of %s before it is parsed', (_, text) => {
    expect(refusalOf(() => parseBody(anyValues, Buffer.from(text)))).toMatchObject({
      code: 'payload_too_large',
      message: 'The body may have at most 1048576 bytes outside of its texts',
    });
  });
});

describe('the values of a JSON body', () => {
  const five = { ...json, limitValues: 5 } as const;

  it.each([
    ['5'],
    ['[1, 2, 3, 4]'],
    ['{"a": 1, "b": [2, {}]}'],
    ['[[], [ ], {}, {\n}]'],
    ['["[1,2,3,4,5]", "{\\",,,,", "", ","]'],
    ['{"a,b,c,d,e,f": {"[[[[": {"": {"x": []}}}}'],
  ])('%s: no more than five', (text) => {
    expect(parseBody(five, Buffer.from(text))).toEqual(JSON.parse(text));
    expect(parseBody(five, Buffer.from(` ${text}\r\n`))).toEqual(JSON.parse(text));
  });

  it.each([
    ['[1, 2, 3, 4, 5]'],
    ['{"a": 1, "b": [2, {}, 3]}'],
    ['[[], [], {}, {}, 1]'],
    ['[[[[[[]]]]]]'],
    ['["\\\\", 1, 2, 3, 4]'],
    [',,,,,'],
    ['{"a": 1, "a": 2, "a": 3, "a": 4, "a": 5}'],
  ])('%s: more', (text) => {
    expect(refusalOf(() => parseBody(five, Buffer.from(text)))).toMatchObject({
      code: 'payload_too_large',
      message: 'The body may have at most 5 values',
    });
  });

  it('are at most 6 000 where the contract has no other limit', () => {
    const list = (count: number) => Buffer.from(JSON.stringify(Array(count - 1).fill(1)));
    expect(parseBody(json, list(6_000))).toHaveLength(5_999);
    expect(refusalOf(() => parseBody(json, list(6_001)))).toMatchObject({
      code: 'payload_too_large',
      message: 'The body may have at most 6000 values',
    });
  });

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('are nested in 100 levels of %s, and not in more', (_, opening, closing) => {
    const nested = (levels: number) => Buffer.from(`${opening.repeat(levels - 1)}[]${closing.repeat(levels - 1)}`);
    expect(parseBody(json, nested(100))).toEqual(expect.any(Object));
    expect(refusalOf(() => parseBody(json, nested(101)))).toMatchObject({
      code: 'malformed_body',
      message: 'The body is nested in more than 100 levels',
    });
  });
});

it('a refusal lists the first of a great many errors, and counts the others', () => {
  const schema = z.object({ defaults: z.array(z.string()) });
  const refusal = refusalOf(() => parseRequestPart('body', schema, { defaults: Array(10_000).fill(1) }));
  expect(refusal).toMatchObject({ code: 'validation_failed' });
  const fields = isCodedError(refusal) ? refusal.fields : [];
  expect(fields).toHaveLength(201);
  expect(fields.at(-1)).toEqual({ field: '', message: 'has 9800 more errors' });
});
