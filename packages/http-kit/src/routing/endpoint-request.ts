import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { ActorScope, Principal } from '@waybill/access/principal';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { z } from 'zod';

/** A request before authentication and validation. */
export interface RequestContext {
  /** Also `HEAD` if the contract has `GET`. */
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Identifies this request in logs and responses. */
  readonly requestId: string;
  /** The client's IP address in canonical form; behind a trusted proxy the one that the proxy reports. */
  readonly clientAddress: string;
  /** Scheme and authority that the client used, without a trailing slash: `https://files.example.org`. */
  readonly baseUrl: string;
  /** The connection, with what it has transferred since it was opened, also for other requests. */
  readonly connection: Pick<Socket, 'bytesRead' | 'bytesWritten' | 'destroy'>;
  /** What it had transferred before this request; the beginning of the body may be part of it. */
  readonly bytesBefore: { readonly read: number; readonly written: number };
  /**
   * Fires when the client disconnects or the service aborts the request; while a stream is sent, also when the caller may no longer
   * receive it. A stream that has not ended a second later is cut off.
   */
  readonly signal: AbortSignal;
}

/** A request that is authenticated, authorised and valid: the input of a handler. */
export interface EndpointRequest<E extends EndpointContract, P = PrincipalOf<E>> extends RequestContext {
  readonly params: ParsedPart<E, 'params'>;
  readonly query: ParsedPart<E, 'query'>;
  readonly body: ParsedBody<E>;
  readonly principal: P;
  /** The actors to whose objects the caller's permission is limited; `undefined`: all. Never set without `ofActor`. */
  readonly actors: ActorScope;
  /** The raw body. A client that waits for `100 Continue` receives it only now. */
  openStream(): Readable;
}

/** The caller after a contract's authentication: a principal with a bearer token, none without authentication. */
export type PrincipalOf<E extends EndpointContract> = E['authentication'] extends { kind: 'bearer' }
  ? Principal
  : undefined;

type ParsedPart<E, Part extends 'params' | 'query'> = E extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

type ParsedBody<E> = E extends {
  readonly body: { readonly kind: 'json' | 'form'; readonly schema: infer S extends z.ZodType };
}
  ? z.output<S>
  : undefined;
