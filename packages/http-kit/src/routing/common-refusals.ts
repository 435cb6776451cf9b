import { equal, match, notEqual } from 'node:assert/strict';
import { grantsOf, reachOf } from '@waybill/access/principal';
import { bodyLimitsOf } from '@waybill/contracts/endpoints/body-limits';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { ErrorCode } from '@waybill/contracts/errors/error-codes';
import { problemSchema } from '@waybill/contracts/errors/problem';
import { type BuiltInRole, builtInRoleNames } from '@waybill/contracts/roles/built-in-roles';
import { errorStatus } from '../failures/error-status.ts';
import type { Route } from './route.ts';

/** The service under test. */
export interface RefusalOptions {
  readonly routes: readonly Pick<Route, 'endpoint' | 'path'>[];
  /** Called when a case runs, so that the server may be started later. */
  baseUrl(): string;
  /** Request headers of a caller with all permissions. */
  permitted(): Promise<Record<string, string>>;
  /** Request headers of a caller who has only this role; needed for endpoints that require a permission. */
  withRole?(role: BuiltInRole): Promise<Record<string, string>>;
  /** Checks the body of a failure; by default that it is problem details with this code. */
  assertFailure?(response: Response, body: unknown, code: ErrorCode): void;
}

/** One refusal that a client may rely on. `run` throws if the server does not give it. */
export interface RefusalCase {
  readonly title: string;
  run(): Promise<void>;
}

interface Attempt {
  readonly title: string;
  readonly code: ErrorCode;
  readonly method?: string;
  readonly headers?: () => Promise<Record<string, string>>;
  readonly body?: string;
  readonly query?: string;
}

/**
 * The refusals that every endpoint must give: 401 without credentials, 403 without the role, 405, and the form of
 * 400, 413 and 415; at the management interfaces also 400 for an unknown parameter. Each service's tests run them on all of its routes, so that no endpoint is forgotten.
 */
export function commonRefusals(options: RefusalOptions): RefusalCase[] {
  return options.routes.flatMap(({ endpoint, path }) => {
    const attempts = [
      ...authenticationAttempts(endpoint),
      ...roleAttempts(endpoint, options),
      ...methodAttempts(path, options),
      ...queryAttempts(endpoint, options),
      ...bodyAttempts(endpoint, options),
    ];
    return attempts.map((attempt) => ({
      title: `${endpoint.method} ${path} refuses ${attempt.title}`,
      run: () => tryIt(attempt, addressOf(path), endpoint, options),
    }));
  });
}

function authenticationAttempts({ authentication }: EndpointContract): Attempt[] {
  if (authentication.kind === 'none') return [];
  const forged = { authorization: 'Bearer forged', cookie: 'sp-http-usr=acme; sp-http-ses=forged' };
  return [
    { title: 'a caller without credentials', code: 'not_authenticated' },
    { title: 'forged credentials', code: 'not_authenticated', headers: async () => forged },
  ];
}

function roleAttempts({ authentication }: EndpointContract, { withRole }: RefusalOptions): Attempt[] {
  if (authentication.kind !== 'bearer' || authentication.permission === undefined) return [];
  const { permission } = authentication;
  const refused = builtInRoleNames.filter((role) => reachOf(grantsOf([role]), permission) !== 'all');
  return refused.map((role) => ({
    title: `the role ${role}`,
    code: 'not_permitted',
    headers: async () => {
      if (withRole === undefined) throw new Error('withRole is needed: an endpoint asks for a permission');
      return withRole(role);
    },
  }));
}

function methodAttempts(path: string, { routes }: RefusalOptions): Attempt[] {
  const taken = new Set(routes.flatMap((route) => (route.path === path ? [route.endpoint.method] : [])));
  const method = (['PATCH', 'DELETE', 'PUT', 'POST'] as const).find((candidate) => !taken.has(candidate));
  return method === undefined ? [] : [{ title: `the method ${method}`, code: 'method_not_allowed', method }];
}

function queryAttempts(
  { authentication, invalidRequestCode }: EndpointContract,
  { permitted }: RefusalOptions,
): Attempt[] {
  if (authentication.kind !== 'bearer') return [];
  const code = invalidRequestCode ?? 'validation_failed';
  return [{ title: 'an unknown parameter', code, headers: permitted, query: '?colour=red' }];
}

function bodyAttempts({ body, invalidRequestCode }: EndpointContract, { permitted }: RefusalOptions): Attempt[] {
  if (body?.kind !== 'json') return [];
  const { values } = bodyLimitsOf(body);
  const json = async () => ({ ...(await permitted()), 'content-type': 'application/json' });
  const text = async () => ({ ...(await permitted()), 'content-type': 'text/plain' });
  return [
    { title: 'no body', code: invalidRequestCode ?? 'malformed_body', headers: permitted },
    { title: 'malformed JSON', code: invalidRequestCode ?? 'malformed_body', headers: json, body: '{"a":' },
    { title: 'a body of another shape', code: invalidRequestCode ?? 'validation_failed', headers: json, body: '[1]' },
    { title: 'another content type', code: invalidRequestCode ?? 'unsupported_media_type', headers: text, body: '{}' },
    { title: 'a body that is too large', code: 'payload_too_large', headers: json, body: `"${'x'.repeat(1_100_000)}"` },
    { title: 'a body of too many values', code: 'payload_too_large', headers: json, body: listOf(values + 1) },
  ];
}

/** JSON of so many values: a list, and numbers. */
function listOf(values: number): string {
  return `[${Array(values - 1)
    .fill(1)
    .join()}]`;
}

async function tryIt(
  attempt: Attempt,
  address: string,
  endpoint: EndpointContract,
  options: RefusalOptions,
): Promise<void> {
  const { code, method = endpoint.method, headers, body, query = '' } = attempt;
  const request = { method, headers: (await headers?.()) ?? {}, signal: AbortSignal.timeout(10_000) };
  const response = await fetch(
    options.baseUrl() + address + query,
    body === undefined ? request : { ...request, body },
  );
  // A response to HEAD has no body.
  const answer: unknown = method === 'HEAD' ? undefined : await response.json();
  equal(response.status, errorStatus(code), JSON.stringify(answer));
  match(response.headers.get('x-request-id') ?? '', /./u);
  if (code === 'method_not_allowed') notEqual(response.headers.get('allow'), null);
  if (answer === undefined) return;
  if (options.assertFailure !== undefined) options.assertFailure(response, answer, code);
  else equal(problemSchema.parse(answer).code, code);
}

/** An address that matches the path. */
function addressOf(path: string): string {
  return path.replaceAll(/\{\/\*\w+\}/gu, '/a').replaceAll(/[*:]\w+/gu, '1');
}
