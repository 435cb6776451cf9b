import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { fileFailureSchema } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import { type ErrorCode, errorCodes } from '@waybill/contracts/errors/error-codes';
import { problemSchema } from '@waybill/contracts/errors/problem';
import { PlatformError } from '../platform-error.ts';
import type { ReceivedHeaders } from './endpoint-call.ts';

/** Failures of the file interface whose message is not the title of their code. */
const namedFailures: readonly (readonly [message: RegExp, code: ErrorCode])[] = [
  [/^Path (?:'.*' )?doesn't exist$/su, 'path_not_found'],
  [/^(?:File )?.* doesn't exist$/su, 'file_not_found'],
];

/** The error of a response that the contract does not have. */
export function refusalOf(
  endpoint: EndpointContract,
  response: { readonly status: number; readonly headers: ReceivedHeaders; readonly text: string },
): PlatformError {
  const { status, headers, text } = response;
  const facts = { status, retryAfterSeconds: secondsOf(headers['retry-after']) };
  const json = parsed(text);
  const problem = problemSchema.safeParse(json);
  if (problem.success) {
    const { code, detail, errors, requestId } = problem.data;
    return new PlatformError(detail, { ...facts, code, fields: errors, requestId });
  }
  const failure = fileFailureSchema.safeParse(json);
  if (failure.success) {
    const { message, detail } = failure.data;
    const code = codeOf(endpoint, message) ?? codeOfStatus(status);
    return new PlatformError(sentenceOf(message, detail), { ...facts, code });
  }
  // HEAD has no body.
  if (endpoint.method === 'HEAD') {
    const code = codeOfStatus(status);
    return new PlatformError(status === 404 ? errorCodes.upload_unknown.title : titleOf(code, status), {
      ...facts,
      code,
    });
  }
  return new PlatformError(`the answer has status ${status}, and not the form of this platform`, {
    ...facts,
    code: status >= 500 ? 'service_unavailable' : 'answer_unreadable',
  });
}

/** A detail that is a sentence says more than the message of its kind; another one is what the message is about. */
function sentenceOf(message: string, detail: string | undefined): string {
  if (detail === undefined) return message;
  return /^[A-Z]/u.test(detail) ? detail : `${message}: ${detail}`;
}

function titleOf(code: PlatformError['code'], status: number): string {
  return Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode].title : `the answer has status ${status}`;
}

/** The codes of the endpoint are looked at first: some have the same title. */
function codeOf(endpoint: EndpointContract, message: string): ErrorCode | undefined {
  const codes = [...endpoint.errors, ...(Object.keys(errorCodes) as ErrorCode[])];
  const titled = codes.find((code) => errorCodes[code].title === message);
  return titled ?? namedFailures.find(([pattern]) => pattern.test(message))?.[1];
}

function codeOfStatus(status: number): PlatformError['code'] {
  const codes: Readonly<Record<number, ErrorCode>> = {
    401: 'invalid_credentials',
    404: 'upload_unknown',
    412: 'precondition_failed',
    423: 'upload_in_progress',
    429: 'too_many_requests',
    507: 'storage_full',
  };
  return codes[status] ?? (status >= 500 ? 'service_unavailable' : 'answer_unreadable');
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). */
function secondsOf(value: ReceivedHeaders[string]): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/u.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1_000);
}
