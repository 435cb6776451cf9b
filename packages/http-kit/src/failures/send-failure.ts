import { STATUS_CODES } from 'node:http';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { ErrorCode } from '@waybill/contracts/errors/error-codes';
import type { Response } from 'express';
import type { Exchange } from '../exchange/exchange.ts';
import type { HttpEvents } from '../exchange/http-events.ts';
import { errorStatus } from './error-status.ts';
import type { FormatError } from './format-problem.ts';
import { isOutage } from './is-outage.ts';

/** The names of a failure that HTTP sends in a header. */
const headersOfNames = [
  ['allow', 'Allow'],
  ['retryAfterSeconds', 'Retry-After'],
  ['contentRange', 'Content-Range'],
] as const;

/** Sends a failure in the form of its area. A response that has begun cannot be undone: the connection is closed. */
export function sendFailure(
  parts: { events: HttpEvents; formatError: FormatError },
  { exchange, response }: { exchange: Exchange; response: Response },
  thrown: unknown,
): void {
  const error = codedErrorOf(thrown, parts.events, exchange);
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const status = errorStatus(error.code);
  const { endpoint, requestId } = exchange;
  const { mediaType, body, challenge } = parts.formatError({ error, status, requestId, endpoint });
  if (status === 401 && challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
  for (const [name, header] of headersOfNames) {
    const value = error.names[name];
    if (value !== undefined) response.setHeader(header, value);
  }
  // A client that never received `100 Continue` may still send its body: what follows on the connection may not be
  // a request.
  if (exchange.awaitsContinue) response.setHeader('Connection', 'close');
  response.statusMessage = STATUS_CODES[status] ?? phraseOf(error.code);
  response.status(status).setHeader('Content-Type', mediaType).end(JSON.stringify(body));
}

/** The reason phrase of a status that no RFC has: tus calls its 460 `Checksum Mismatch`. */
function phraseOf(code: ErrorCode): string {
  return code.replaceAll(
    /(?:^|_)([a-z])/gu,
    (match, first: string) => `${match.length > 1 ? ' ' : ''}${first.toUpperCase()}`,
  );
}

function codedErrorOf(thrown: unknown, events: HttpEvents, exchange: Exchange): CodedError {
  if (isCodedError(thrown)) return replacedCode(thrown, exchange);
  if (exchange.signal.aborted) return new CodedError('upload_incomplete', { cause: thrown });
  if (isOutage(thrown)) {
    events.dependencyFailed(thrown);
    return new CodedError('service_unavailable', { cause: thrown, names: { retryAfterSeconds: '2' } });
  }
  events.requestFailed(thrown);
  return new CodedError('internal_error', { cause: thrown });
}

function replacedCode(error: CodedError, { endpoint }: Exchange): CodedError {
  const code = endpoint?.invalidRequestCode;
  const isInvalid = isCodedError(error, 'validation_failed', 'malformed_body', 'unsupported_media_type');
  if (code === undefined || !isInvalid) return error;
  return new CodedError(code, { detail: error.message, fields: error.fields, names: error.names, cause: error });
}
