import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { ErrorCode } from '@waybill/contracts/errors/error-codes';
import { errorStatus } from '../failures/error-status.ts';
import type { FormatError } from '../failures/format-problem.ts';
import { headerBytesAtMost } from './http-settings.ts';

/**
 * Responds to input that Node could not parse as an HTTP request, in the form of the area, and closes the
 * connection.
 */
export function answerUnreadable(error: Error & { code?: string }, socket: Duplex, formatError: FormatError): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const detail = details[error.code ?? ''];
  const failure = new CodedError(codeOf(error.code), { cause: error, ...(detail !== undefined && { detail }) });
  const status = errorStatus(failure.code);
  const { mediaType, body } = formatError({ error: failure, status, requestId: randomUUID(), endpoint: undefined });
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${mediaType}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

const details: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The address and the headers have at most ${headerBytesAtMost} bytes together`,
  HPE_INVALID_METHOD: 'The request does not begin with the name of a method',
  HPE_INVALID_URL: 'The address has characters that must be percent-encoded',
};

function codeOf(parserCode: string | undefined): ErrorCode {
  if (parserCode === 'HPE_INVALID_URL') return 'validation_failed';
  if (parserCode === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (parserCode === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'malformed_body';
}
