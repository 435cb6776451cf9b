import { CodedError } from '@waybill/contracts/errors/coded-error';
import { expect, test } from 'vitest';
import { isOutage } from './is-outage.ts';

const withCode = (code: string) => Object.assign(new Error('it failed'), { code });

test.each([
  ['a refused connection', withCode('ECONNREFUSED')],
  ['a database that shuts down', withCode('57P01')],
  ['a database without connections to spare', withCode('53300')],
  ['an exhausted pool', Object.assign(new Error('acquiring'), { name: 'KnexTimeoutError' })],
  ['a Redis that does not answer', new Error('Command timed out')],
  ['a connection that was cut under a statement', new Error('COMMIT; - Connection terminated unexpectedly')],
  ['a cause further down', new Error('login failed', { cause: withCode('ECONNRESET') })],
  ['one of several attempts', new AggregateError([withCode('ECONNREFUSED')], 'all failed')],
])('%s is an outage', (_what, error) => {
  expect(isOutage(error)).toBe(true);
});

test.each([
  ['a bug', new TypeError('x is not a function')],
  ['a broken constraint', withCode('23505')],
  ['a wrong statement', withCode('42601')],
  ['an expected failure', new CodedError('job_unknown')],
  ['no error at all', 'ECONNREFUSED'],
])('%s is not an outage', (_what, error) => {
  expect(isOutage(error)).toBe(false);
});
