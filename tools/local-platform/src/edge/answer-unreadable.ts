import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { edgeFailure, type EdgeProblem } from './edge-failure.ts';

/**
 * Responds to input that is not a valid HTTP request, in the form of the service at its address if that is known,
 * and closes the connection.
 */
export function answerUnreadable(error: Error & { code?: string; rawPacket?: Buffer }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
  const { mediaType, text } = edgeFailure(targetOf(error.rawPacket), problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Content-Type: ${mediaType}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

function targetOf(packet: Buffer | undefined): string {
  return /^[A-Z]+ ([^\s?]+)/u.exec(packet?.toString('latin1') ?? '')?.[1] ?? '/';
}

function problemOf(parserCode: string | undefined): EdgeProblem {
  if (parserCode === 'HPE_HEADER_OVERFLOW') {
    return { status: 431, code: 'headers_too_large', detail: 'Address and headers may have 32 KiB together' };
  }
  if (parserCode === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, code: 'request_timeout', detail: 'The headers did not arrive in time' };
  }
  return { status: 400, code: 'malformed_body', detail: 'This is not HTTP' };
}
