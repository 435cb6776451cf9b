import { CodedError } from '@waybill/contracts/errors/coded-error';
import { z } from 'zod';

/** What a cursor may hold: where the last item of a page stands in the order of its list. */
type Mark = string | number | boolean | null;

/** A number of a row in a cursor. */
export const rowMarkSchema = z.string().regex(/^\d{1,18}$/u);

/** A cursor of a list in the order of numbers of rows. */
export const rowCursorSchema = z.tuple([rowMarkSchema]);

/** A text in a cursor, which PostgreSQL can compare. */
export const textMarkSchema = z.string().refine((text) => !text.includes('\0') && text.isWellFormed());

/** A cursor as one word of a link. */
export function encodeCursor(marks: readonly Mark[]): string {
  return Buffer.from(JSON.stringify(marks)).toString('base64url');
}

/** What a cursor holds. @throws CodedError `validation_failed` */
export function decodeCursor<S extends z.ZodType>(schema: S, encoded: string): z.output<S>;
/** What a cursor holds; undefined without one, for the first page. @throws CodedError `validation_failed` */
export function decodeCursor<S extends z.ZodType>(schema: S, encoded: string | undefined): z.output<S> | undefined;
/** What a cursor holds, if there is one. */
export function decodeCursor<S extends z.ZodType>(schema: S, encoded: string | undefined): z.output<S> | undefined {
  if (encoded === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(Buffer.from(encoded, 'base64url').toString()));
  } catch (cause) {
    const message = 'is not one of this listing: follow `next` links as they are';
    throw new CodedError('validation_failed', {
      detail: `cursor: ${message}`,
      fields: [{ field: 'cursor', message }],
      cause,
    });
  }
}

/**
 * A page of what was found after a cursor. `found` has one item more than the page if there is a next one; `marksOf` says where an
 * item stands.
 */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  marksOf: (item: T) => readonly Mark[],
): { readonly items: readonly T[]; readonly cursor: string | undefined } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { items, cursor: hasMore ? encodeCursor(marksOf(last)) : undefined };
}
