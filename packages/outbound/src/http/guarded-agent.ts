import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { DestinationGuard } from '../address/destination-guard.ts';
import { openStream } from '../address/open-stream.ts';
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

function open(parts: AgentParts, args: ClientRequestArgs, isTls: boolean): Promise<Duplex> {
  const { guard, connectTimeoutMs: timeoutMs, certificateAuthorities: ca } = parts;
  const destination = { host: args.host ?? args.hostname ?? '', port: Number(args.port ?? (isTls ? 443 : 80)) };
  const tls = isTls ? { ...(ca !== undefined && { ca }) } : undefined;
  return openStream(destination, { guard, timeoutMs, tls });
}
