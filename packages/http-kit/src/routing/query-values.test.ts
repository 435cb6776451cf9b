import { CodedError } from '@waybill/contracts/errors/coded-error';
import { expect, test } from 'vitest';
import { queryValues } from './query-values.ts';

test.each<[string, Record<string, string | string[]>]>([
  ['/jobs', {}],
  ['/jobs?', {}],
  ['/jobs?a=1&b=2', { a: '1', b: '2' }],
  ['/jobs?a=1&a=2', { a: ['1', '2'] }],
  ['/jobs?a', { a: '' }],
  ['/jobs?a=b=c', { a: 'b=c' }],
  ['/jobs?a=?&b=+', { a: '?', b: ' ' }],
  ['/jobs?reason=100%', { reason: '100%' }],
  ['/jobs?reason=%zz%4', { reason: '%zz%4' }],
  ['/jobs?%c3%a9=%C3%89%F0%9F%98%80', { é: 'É😀' }],
  ['/jobs?a=%EF%BF%BD', { a: '\uFFFD' }],
  ['/jobs?a=%00', { a: '\0' }],
])('the query of %s holds %j', (target, values) => {
  expect(queryValues(target)).toEqual(values);
});

test.each([
  ['/jobs?reason=%ff', ['reason']],
  ['/jobs?reason=a%C3&b=1', ['reason']],
  ['/jobs?a=%ED%A0%80', ['a']],
  ['/jobs?a=%c0%80', ['a']],
  ['/jobs?a=1&b=%F8%88&b=%80&c=%FE', ['b', 'c']],
  ['/jobs?%ff=1', ['%ff']],
])('the query of %s is refused, and the fields are named', (target, names) => {
  const fields = names.map((field) => ({ field, message: 'is not in UTF-8' }));
  const detail = names.map((name) => `${name}: is not in UTF-8`).join('; ');
  expect(() => queryValues(target)).toThrow(new CodedError('validation_failed', { detail, fields }));
});
