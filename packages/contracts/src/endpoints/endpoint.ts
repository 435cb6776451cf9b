import type { z } from 'zod';
import type { ErrorCode } from '../errors/error-codes.ts';
import type { Permission } from '../roles/permissions.ts';

/**
 * How an endpoint authenticates: not at all, by a bearer token of a user whose roles have the permission (any user, if there
 * is none), or by the two login cookies. `ofActor`: roles that are limited to actors have it too, and the handler limits
 * itself to these actors.
 */
export type Authentication =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly permission?: Permission; readonly ofActor?: boolean }
  | { readonly kind: 'login-session' };

/**
 * The body of a request. `stream`: the handler reads the raw bytes. JSON is `application/json` if no `mediaTypes` are given. Without
 * `limitBytes` and `limitValues`, the usual limits apply: see `bodyLimitsOf`.
 */
export type RequestBody =
  | {
      readonly kind: 'json';
      readonly schema: z.ZodType;
      /** What the documentation says instead of `schema`, where only the handler can check a body: together with what is stored. */
      readonly documented?: z.ZodType;
      readonly mediaTypes?: readonly string[];
      readonly limitBytes?: number;
      readonly limitValues?: number;
    }
  | { readonly kind: 'form'; readonly schema: z.ZodType; readonly limitBytes?: number }
  | { readonly kind: 'stream'; readonly mediaTypes: readonly string[]; readonly schema?: z.ZodType };

/** The body of a response. */
export type ResponseBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly schema: z.ZodType; readonly mediaType?: string }
  | { readonly kind: 'stream'; readonly mediaType: string };

/** One response of an endpoint. */
export interface ResponseContract {
  readonly description: string;
  readonly body: ResponseBody;
  /** Headers of the response that a caller can rely on, in lower case. */
  readonly headers?: z.ZodType;
}

/**
 * The contract of one address: it validates requests, types handlers and generates the OpenAPI page. `path` is in
 * Express form (`/2.0/files/*path`). `errors` lists the codes beyond those that every endpoint shares.
 * `invalidRequestCode` replaces `validation_failed` if the interface defines another code.
 */
export interface EndpointContract {
  readonly id: string;
  readonly tag: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly authentication: Authentication;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  /** Headers that the endpoint supports, in lower case; others are ignored. */
  readonly headers?: z.ZodType;
  readonly body?: RequestBody;
  /**
   * Whether a request has no second effect when it is sent again: always, never, or only with this value, by which the platform
   * recognises a repetition. Absent: as the method says (RFC 9110 section 9.2.2). Clients repeat such requests after a failure; a
   * header that makes a request repeatable, they generate.
   */
  readonly repeatable?: boolean | { readonly in: 'query' | 'headers' | 'body'; readonly name: string };
  /**
   * For DELETE: the code with which a repetition is refused after the first request has taken effect, and the response in its
   * place. Clients return it if an earlier attempt of the same call may have reached the platform.
   */
  readonly alreadyDeleted?: { readonly code: ErrorCode; readonly status: number; readonly body?: () => unknown };
  readonly responses: Readonly<Record<number, ResponseContract>>;
  readonly errors: readonly ErrorCode[];
  readonly invalidRequestCode?: ErrorCode;
}

/** Keeps the literal types of a contract, from which the type of its handler is derived. */
export function defineEndpoint<const E extends EndpointContract>(endpoint: E): E {
  return endpoint;
}
