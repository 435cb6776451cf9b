import type { EndpointContract, RequestBody, ResponseBody } from '@waybill/contracts/endpoints/endpoint';
import type { z } from 'zod';

type ContractPart<E, K extends string> = E extends Readonly<Record<K, infer T>> ? T : undefined;

/** A value that an endpoint parses from text may be given as text or as a number. */
type Value<T> = unknown extends T ? string | number : T;

type Params<S> = S extends z.ZodType
  ? { readonly params: { readonly [K in keyof z.input<S>]: Value<z.input<S>[K]> } }
  : { readonly params?: undefined };

type Query<S> = S extends z.ZodType
  ? { readonly query?: { readonly [K in keyof z.input<S>]?: Value<z.input<S>[K]> | undefined } }
  : { readonly query?: undefined };

/** What the handler alone can check is typed as it is documented. */
type Body<B> = B extends RequestBody & { documented: infer S extends z.ZodType }
  ? { readonly body: z.input<S> }
  : B extends RequestBody & { schema: infer S extends z.ZodType }
    ? { readonly body: z.input<S> }
    : { readonly body?: undefined };

/** The request to an endpoint, as its contract has it. */
export type EndpointRequest<E extends EndpointContract> = Params<ContractPart<E, 'params'>> &
  Query<ContractPart<E, 'query'>> &
  Body<ContractPart<E, 'body'>> &
  RequestOptions;

interface RequestOptions {
  /** Besides those of the session and of the body: conditions, for example. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Sends cookies, and takes those of the response. Default: false. */
  readonly withCookies?: boolean;
  /** How long to wait for the response, in milliseconds. Default: as `time-limits.ts` has it. */
  readonly limitMs?: number;
}

type Received<B extends ResponseBody> = B extends { kind: 'json'; schema: infer S extends z.ZodType }
  ? z.output<S>
  : B extends { kind: 'stream' }
    ? string
    : undefined;

/** The body of an endpoint's response; a stream is its text. */
export type EndpointResult<E extends EndpointContract> = {
  [S in keyof E['responses'] & number]: Received<E['responses'][S]['body']>;
}[keyof E['responses'] & number];

/** A request without the types of its contract. */
export interface LooseRequest extends RequestOptions {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}
