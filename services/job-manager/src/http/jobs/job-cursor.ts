import { CodedError } from '@waybill/contracts/errors/coded-error';
import { z } from 'zod';
import type { JobCursor, JobSortField } from '../../domain/jobs/job-query.ts';

const digits = z.string().regex(/^\d{1,15}$/u);
/** As `next` links have it. PostgreSQL has no year 0. */
const time = z.iso.datetime({ precision: 3 }).refine((value) => !value.startsWith('0000'));
const text = z.string().refine((value) => !value.includes('\0') && value.isWellFormed());

const values = {
  id: digits,
  status: text,
  queue: text,
  contract: text,
  workflowTemplateId: digits,
  workflowTemplateName: text,
  workflowTemplateRevision: digits,
  submittedBy: text,
  createdAt: time,
  updatedAt: time,
} as const satisfies Record<JobSortField, z.ZodType<string>>;

/** A cursor as one word of a link. */
export function encodeJobCursor({ value, id }: JobCursor): string {
  return Buffer.from(JSON.stringify([value, id])).toString('base64url');
}

/** Reads a cursor of a listing that is sorted by `field`. @throws CodedError `validation_failed` */
export function decodeJobCursor(encoded: string, field: JobSortField): JobCursor {
  try {
    const decoded: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    const [value, id] = z.tuple([values[field], z.int().positive()]).parse(decoded);
    return { value, id };
  } catch (cause) {
    throw wrongCursor('is not one of this listing: follow `next` links as they are', cause);
  }
}

/** The error for a cursor that cannot be read. */
export function wrongCursor(message: string, cause: unknown): CodedError {
  return new CodedError('validation_failed', {
    detail: `cursor: ${message}`,
    fields: [{ field: 'cursor', message }],
    cause,
  });
}
