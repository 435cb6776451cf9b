import { CodedError } from '@waybill/contracts/errors/coded-error';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { expect, it } from 'vitest';
import { statusOfError } from './status-of-error.ts';

const { failure, permissionDenied } = statusCode;

it.each<[string, unknown, number, RegExp]>([
  ['what is missing', new CodedError('no_write_permission'), permissionDenied, /^No write permission$/u],
  [
    'that it may be tried again, while a database is away',
    Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' }),
    failure,
    /^The service cannot answer right now: try again in a moment$/u,
  ],
  [
    'nothing of the inside, of a bug',
    new TypeError('select * from secrets'),
    failure,
    /^Something went wrong on our side$/u,
  ],
])('a client is told %s', (_what, error, code, message) => {
  expect(statusOfError(error)).toEqual({ code, message: expect.stringMatching(message) });
});
