import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { FileFailure } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import { type ErrorCode, errorCodes } from '@waybill/contracts/errors/error-codes';
import type { Problem } from '@waybill/contracts/errors/problem';
import { serviceFor } from './edge-routes.ts';

/** A failure of the edge itself. */
export interface EdgeProblem {
  status: number;
  code: ErrorCode;
  detail: string;
}

/** The response to a failure at `target`, in the form of the services there: a result body (area D) or RFC 9457. */
export function edgeFailure(target: string, problem: EdgeProblem): { mediaType: string; text: string } {
  const { title } = errorCodes[problem.code];
  if (serviceFor(target) !== 'http-files') {
    const body: Problem = { type: 'about:blank', title, ...problem, requestId: randomUUID() };
    return { mediaType: 'application/problem+json', text: JSON.stringify(body) };
  }
  const body: FileFailure = {
    result: 'failed',
    timestamp: new Date().toISOString(),
    message: title,
    errorType: problem.status < 500 ? 'request_syntax' : 'internal',
    detail: problem.detail,
  };
  return { mediaType: 'application/json', text: JSON.stringify(body) };
}

/** Responds in the form of the service at this address, or closes the connection if a response has begun. */
export function sendProblem(res: ServerResponse, problem: EdgeProblem): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { mediaType, text } = edgeFailure(res.req.url ?? '/', problem);
  // The rest of the client's body is not read, so the connection cannot be reused.
  const headers = { 'content-type': mediaType, 'content-length': Buffer.byteLength(text), connection: 'close' };
  res.writeHead(problem.status, headers).end(text);
}
