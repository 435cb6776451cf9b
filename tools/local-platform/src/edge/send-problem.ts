import type { ServerResponse } from 'node:http';
import { edgeFailure, type EdgeProblem } from './edge-failure.ts';

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
