import { isCodedError } from '@waybill/contracts/errors/coded-error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJobCursor, encodeJobCursor } from './job-cursor.ts';

describe('the cursor of a job listing', () => {
  it('is decoded unchanged', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('\0')),
        fc.integer({ min: 1 }),
        (value, id) => {
          expect(decodeJobCursor(encodeJobCursor({ value, id }), 'queue')).toEqual({ value, id });
        },
      ),
    );
  });

  it.each([
    ['another sort field', encodeJobCursor({ value: 'RUNNING', id: 4 }), 'createdAt'],
    ['a value that is not a number', encodeJobCursor({ value: '1 OR 1', id: 4 }), 'id'],
    ['a negative id', encodeJobCursor({ value: '4', id: -4 }), 'id'],
    ['no cursor at all', 'hello', 'id'],
    ['nothing', '', 'id'],
  ] as const)('%s is refused as a wrong field', (_name, encoded, field) => {
    expect(() => decodeJobCursor(encoded, field)).toThrow(
      expect.toSatisfy((error) => isCodedError(error, 'validation_failed')),
    );
  });
});
