import type { Readable } from 'node:stream';
import type { EndpointContract, RequestBody, ResponseBody } from '@waybill/contracts/endpoints/endpoint';
import type { z } from 'zod';

/** A value that the endpoint parses from text may be given as text or as a number. */
type Given<T> = { [K in keyof T]: unknown extends T[K] ? string | number : T[K] };

type InputOf<S> = S extends z.ZodType ? Given<z.input<S>> : never;

/** Bytes to send. Only those that can be sent again (all but a stream) are sent again after a failure. */
export type SentContent = Uint8Array | Readable | (() => Readable);

/** What the handler alone can check is typed as it is documented. */
type BodyOf<B> = B extends { kind: 'stream' }
  ? SentContent
  : B extends { documented: infer S extends z.ZodType }
    ? z.input<S>
    : B extends { schema: infer S extends z.ZodType }
      ? z.input<S>
      : never;

/** Absent where the contract has none, optional where everything in it is. */
type Part<K extends string, T> = [T] extends [never]
  ? { readonly [N in K]?: undefined }
  : [string extends keyof T ? true : Partial<T> extends T ? true : false] extends [true]
    ? { readonly [N in K]?: T }
    : { readonly [N in K]: T };

type ContractPart<E, K extends string> = E extends Readonly<Record<K, infer T>> ? T : never;

/** What a caller may change about any call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the head of the answer, and between parts of its body, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The media type of a body of raw bytes. */
  readonly contentType?: string | undefined;
}

/** The request to an endpoint: parameters of its address, query, headers and body, as its contract has them. */
export type EndpointRequest<E extends EndpointContract> = Part<'params', InputOf<ContractPart<E, 'params'>>> &
  Part<'query', InputOf<ContractPart<E, 'query'>>> &
  Part<'headers', InputOf<ContractPart<E, 'headers'>>> &
  Part<'body', ContractPart<E, 'body'> extends infer B extends RequestBody ? BodyOf<B> : never> &
  CallOptions;

type ReceivedBody<B extends ResponseBody> = B extends { kind: 'json'; schema: infer S extends z.ZodType }
  ? z.output<S>
  : B extends { kind: 'stream' }
    ? Readable
    : undefined;

/** Headers of an answer, in lower case. */
export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

type HeadersOf<R> = R extends { headers: infer S extends z.ZodType } ? z.output<S> & ReceivedHeaders : ReceivedHeaders;

/** The answer of an endpoint: one of the responses that its contract has; every other one is a `PlatformError`. */
export type EndpointResult<E extends EndpointContract> = {
  [S in keyof E['responses'] & number]: {
    readonly status: S;
    readonly headers: HeadersOf<E['responses'][S]>;
    readonly body: ReceivedBody<E['responses'][S]['body']>;
  };
}[keyof E['responses'] & number];

/** The request as the last argument of a call, which may be left out if everything in it may. */
export type EndpointArguments<E extends EndpointContract> =
  Partial<EndpointRequest<E>> extends EndpointRequest<E>
    ? [request?: EndpointRequest<E>]
    : [request: EndpointRequest<E>];

/** Calls an endpoint. Throws `PlatformError`. */
export type CallEndpoint = <E extends EndpointContract>(
  endpoint: E,
  ...request: EndpointArguments<E>
) => Promise<EndpointResult<E>>;
