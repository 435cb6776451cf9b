import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { CodedError } from '@waybill/contracts/errors/coded-error';
import { errorCodes } from '@waybill/contracts/errors/error-codes';
import type { Problem } from '@waybill/contracts/errors/problem';

/** A failure on its way to the client. */
export interface Failure {
  readonly error: CodedError;
  readonly status: number;
  readonly requestId: string;
  /** Absent when no endpoint was found. */
  readonly endpoint: EndpointContract | undefined;
}

/** A failure in the form of the response. */
export interface FormattedFailure {
  readonly mediaType: string;
  readonly body: unknown;
  /** How a caller authenticates, which a 401 response must state (RFC 9110 section 11.6.1). */
  readonly challenge?: string;
}

/** Gives a failure the form that the area's interface promises. */
export type FormatError = (failure: Failure) => FormattedFailure;

/** Problem details (RFC 9457): the form of every area without a specific one. */
export function formatProblem({ error, status, requestId }: Failure): FormattedFailure & { body: Problem } {
  return {
    mediaType: 'application/problem+json',
    challenge: 'Bearer',
    body: {
      type: 'about:blank',
      title: errorCodes[error.code].title,
      status,
      detail: error.message,
      code: error.code,
      ...(error.fields.length > 0 && { errors: [...error.fields] }),
      requestId,
    },
  };
}
