import { decodeCursor, encodeCursor, rowMarkSchema, textMarkSchema } from '@waybill/http-kit/routing/list-cursor';
import { z } from 'zod';
import type { ObjectCursor } from '../../domain/administration/administration.ts';

const cursorSchema = z.tuple([textMarkSchema, rowMarkSchema]);
const sortedCursorSchema = z.tuple([
  z.union([textMarkSchema, z.number(), z.boolean(), z.null()]),
  textMarkSchema,
  rowMarkSchema,
]);

/** A cursor as one word of a link. */
export function encodeObjectCursor({ name, id, value }: ObjectCursor): string {
  return encodeCursor(value === undefined ? [name, id] : [value, name, id]);
}

/** `isSorted`: the list is sorted by a setting. @throws CodedError `validation_failed` */
export function decodeObjectCursor(encoded: string, isSorted = false): ObjectCursor {
  if (isSorted) {
    const [value, name, id] = decodeCursor(sortedCursorSchema, encoded);
    return { name, id, value };
  }
  const [name, id] = decodeCursor(cursorSchema, encoded);
  return { name, id };
}
