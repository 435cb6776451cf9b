import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { DestinationGuard } from '../address/destination-guard.ts';
import { codeOf, openSocket } from '../address/open-socket.ts';
import type { CircuitBreaker } from '../limits/circuit-breaker.ts';

/** What the sockets of an agent need. */
export interface AgentParts {
  readonly guard: DestinationGuard;
  readonly breaker: CircuitBreaker;
  readonly connectTimeoutMs: number;
  /** How long an unused socket is kept. */
  readonly keepMs: number;
  readonly limit: number;
  readonly certificateAuthorities?: string | undefined;
}

type Callback = (error: Error | null, stream?: Duplex) => void;

/** Agents whose sockets connect to checked addresses only, and that keep them for the next request. */
export function createGuardedAgents(parts: AgentParts): { http: HttpAgent; https: HttpsAgent; destroy(): void } {
  const options = { keepAlive: true, maxSockets: parts.limit, maxFreeSockets: parts.limit, timeout: parts.keepMs };
  const http = new HttpAgent(options);
  const https = new HttpsAgent(options);
  const opening = (isTls: boolean) => (args: ClientRequestArgs, callback: Callback) =>
    void deliver(parts, { args, isTls, callback });
  Object.assign(http, { createConnection: opening(false) });
  Object.assign(https, { createConnection: opening(true) });
  return {
    http,
    https,
    destroy: () => {
      http.destroy();
      https.destroy();
    },
  };
}

/** Gives a socket to the agent, or the error. */
async function deliver(
  parts: AgentParts,
  { args, isTls, callback }: { args: ClientRequestArgs; isTls: boolean; callback: Callback },
): Promise<void> {
  let socket: Duplex;
  try {
    socket = await parts.breaker.attempt(() => open(parts, args, isTls));
  } catch (error) {
    callback(error instanceof Error ? error : new Error('no connection', { cause: error }));
    return;
  }
  callback(null, socket);
}

async function open(parts: AgentParts, args: ClientRequestArgs, isTls: boolean): Promise<Duplex> {
  const host = args.host ?? args.hostname ?? '';
  const port = Number(args.port ?? (isTls ? 443 : 80));
  const signal = AbortSignal.timeout(parts.connectTimeoutMs);
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      if (!signal.aborted) throw cause;
      const detail = `${host}:${port}: no connection within ${parts.connectTimeoutMs / 1_000} s`;
      throw new CodedError('connection_failed', { detail, cause });
    }
  };
  const socket = await inTime(openSocket(parts.guard, { host, port }, signal));
  if (!isTls) return socket;
  const { certificateAuthorities: ca } = parts;
  const secure = connectTls({ socket, servername: host, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) });
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  signal.addEventListener('abort', () => reject(new Error('timeout')), { once: true });
  secure.once('secureConnect', () => resolve(secure));
  secure.once('error', reject);
  try {
    return await inTime(promise);
  } catch (cause) {
    secure.destroy();
    if (cause instanceof CodedError) throw cause;
    throw new CodedError('connection_failed', { detail: `${host}:${port}: TLS fails (${codeOf(cause)})`, cause });
  }
}
