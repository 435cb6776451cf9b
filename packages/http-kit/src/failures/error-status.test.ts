import { type ErrorCode, errorCodes } from '@waybill/contracts/errors/error-codes';
import { expect, test } from 'vitest';
import { errorStatus } from './error-status.ts';

test.each(Object.keys(errorCodes) as ErrorCode[])('%s has a status of a failure', (code) => {
  expect(errorStatus(code)).toBeGreaterThanOrEqual(400);
  expect(errorStatus(code)).toBeLessThan(600);
});
