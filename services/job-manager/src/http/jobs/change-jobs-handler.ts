import type { changeJobsEndpoint } from '@waybill/contracts/endpoints/jobs/change-jobs';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { errorStatus } from '@waybill/http-kit/failures/error-status';
import { isOutage } from '@waybill/http-kit/failures/is-outage';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { z } from 'zod';
import type { BulkPosition, BulkResult, ChangeJobs } from '../../domain/jobs/change-jobs.ts';
import type { JobManagerEvents } from '../../events.ts';
import { wrongCursor } from './job-cursor.ts';
import { filtersOf } from './job-filters.ts';

/** Aborts, resumes or resubmits the jobs that match a filter. */
export function createChangeJobsHandler(parts: {
  changeJobs: ChangeJobs;
  events: JobManagerEvents;
}): EndpointHandler<typeof changeJobsEndpoint> {
  const { changeJobs, events } = parts;
  return async ({ body, principal, actors, signal }) => {
    const { filter, cursor, ...request } = body;
    const { userName } = principal;
    const from = cursor === undefined ? undefined : decodePosition(cursor);
    const { results, next } = await changeJobs(
      { ...request, userName, filters: filtersOf(filter, actors), from },
      signal,
    );
    for (const result of results) {
      if (result.kind === 'created' && result.made) events.jobSubmitted(result.made);
      if (result.kind === 'failed') events.bulkChangeStopped(result.job, result.error);
    }
    return {
      status: 200,
      body: {
        operation: request.operation,
        dryRun: request.dryRun,
        results: results.map(presentResult),
        ...(next && { next: encodePosition(next) }),
      },
    };
  };
}

function presentResult(result: BulkResult) {
  const { job, message } = result;
  const error = errorOf(result);
  const made = 'made' in result ? result.made : undefined;
  return {
    id: job.id,
    statusCode: error ? errorStatus(error.code) : { changed: 200, created: 201, repeated: 409 }[statusKind(result)],
    ...(error && { errorCode: error.code }),
    message,
    status: job.status,
    ...(made && { newId: made.id }),
  };
}

function statusKind({ kind }: BulkResult): 'changed' | 'created' | 'repeated' {
  return kind === 'created' || kind === 'repeated' ? kind : 'changed';
}

function errorOf(result: BulkResult): CodedError | undefined {
  if (result.kind === 'refused') return result.error;
  if (result.kind !== 'failed') return undefined;
  return new CodedError(isOutage(result.error) ? 'service_unavailable' : 'internal_error', { cause: result.error });
}

const positionSchema = z.tuple([z.int().nonnegative(), z.int().nonnegative()]);

function encodePosition({ after, through }: BulkPosition): string {
  return Buffer.from(JSON.stringify([after, through])).toString('base64url');
}

/** @throws CodedError `validation_failed` */
function decodePosition(encoded: string): BulkPosition {
  try {
    const decoded: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    const [after, through] = positionSchema.parse(decoded);
    return { after, through };
  } catch (cause) {
    throw wrongCursor('is not the `next` of an earlier response', cause);
  }
}
