import { CodedError } from '@waybill/contracts/errors/coded-error';
import { z } from 'zod';
import type { ObjectCursor } from '../../domain/administration/administration.ts';

const cursorSchema = z.tuple([
  z.string().refine((name) => !name.includes('\0') && name.isWellFormed()),
  z.string().regex(/^\d{1,18}$/u),
]);

/** A cursor as one word of a link. */
export function encodeObjectCursor({ name, id }: ObjectCursor): string {
  return Buffer.from(JSON.stringify([name, id])).toString('base64url');
}

/** @throws CodedError `validation_failed` */
export function decodeObjectCursor(encoded: string): ObjectCursor {
  try {
    const [name, id] = cursorSchema.parse(JSON.parse(Buffer.from(encoded, 'base64url').toString()));
    return { name, id };
  } catch (cause) {
    const message = 'is not one of this listing: follow `next` links as they are';
    throw new CodedError('validation_failed', {
      detail: `cursor: ${message}`,
      fields: [{ field: 'cursor', message }],
      cause,
    });
  }
}
