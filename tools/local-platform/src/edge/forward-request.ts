import { type Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { drainRequest } from '@waybill/http-kit/server/drain-request';
import type { ServiceName } from '../configuration/service-name.ts';
import { sendProblem } from './edge-failure.ts';
import { endToEndHeaders, forwardedHeaders } from './forwarded-headers.ts';

/** The exchange ends after this time without a byte in either direction. */
const idleTimeoutMs = 300_000;

/** The service that a request goes to. */
export interface ForwardTarget {
  service: ServiceName;
  port: number;
  agent: Agent;
  /** The client waits for `100 Continue`: the service decides. */
  awaitsContinue: boolean;
}

/** Forwards a request and streams the response back; 502 if the service does not respond, 504 if it stalls. */
export function forwardRequest(req: IncomingMessage, res: ServerResponse, target: ForwardTarget): void {
  const { service, port, agent, awaitsContinue } = target;
  const outgoing = request({
    host: '127.0.0.1',
    port,
    agent,
    timeout: idleTimeoutMs,
    method: req.method ?? 'GET',
    path: req.url ?? '/',
    headers: { ...forwardedHeaders(req), ...(awaitsContinue && { expect: '100-continue' }) },
  });
  let [answered, goesOn] = [false, !awaitsContinue];
  outgoing.on('continue', () => {
    goesOn = true;
    res.writeContinue();
    req.pipe(outgoing);
  });
  outgoing.on('response', (answer) => {
    answered = true;
    // On a connection without `100 Continue`, what follows may be the body or another request; they cannot be
    // distinguished.
    const close = goesOn ? {} : { connection: 'close' };
    // Only the service knows the names of some statuses, such as 460 of tus.
    const reason = answer.statusMessage ?? '';
    res.writeHead(answer.statusCode ?? 502, reason, { ...endToEndHeaders(answer), ...close });
    pipeline(answer, res, () => {});
  });
  outgoing.on('timeout', () => {
    sendProblem(res, { status: 504, code: 'service_unavailable', detail: `${service} does not answer` });
    outgoing.destroy();
  });
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    // A service may respond before it has read everything: then its response is forwarded, and `pipeline` ends the
    // rest.
    if (answered) return;
    const problem = error.code === 'ECONNREFUSED' ? 'is not up' : 'has ended the connection without an answer';
    sendProblem(res, { status: 502, code: 'service_unavailable', detail: `${service} ${problem}` });
  });
  res.on('close', () => outgoing.destroy());
  // A service that has answered reads no more: what a browser sends before it looks for the answer ends here.
  res.once('finish', () => req.unpipe(outgoing));
  drainRequest(req, res);
  // The service receives the request at once, and limits the time for its body.
  outgoing.flushHeaders();
  // Not `pipeline`, which would abort such a response.
  if (goesOn) req.pipe(outgoing);
}
