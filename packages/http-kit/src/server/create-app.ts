import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Health } from '@waybill/service-kit/telemetry/health';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import express, { type Express, type RequestHandler } from 'express';
import { exchangeOf } from '../exchange/exchange.ts';
import type { HttpEvents } from '../exchange/http-events.ts';
import { observeExchange } from '../exchange/observe-exchange.ts';
import type { FormatError } from '../failures/format-problem.ts';
import { sendFailure } from '../failures/send-failure.ts';
import type { BearerAuthenticator } from '../routing/bearer-authenticator.ts';
import type { NoteRefusal } from '../routing/refused-request.ts';
import type { Route } from '../routing/route.ts';
import { serveRoute } from '../routing/serve-route.ts';
import { createCallerWatch } from '../routing/watch-callers.ts';
import { readableAddress } from './readable-address.ts';
import { serveOperations } from './serve-operations.ts';
import { wellFramed } from './well-framed.ts';

/** The parts of an app. */
export interface AppParts {
  readonly routes: readonly Route[];
  readonly bearer: BearerAuthenticator | undefined;
  readonly formatError: FormatError;
  readonly refused: NoteRefusal | undefined;
  readonly webApplication: RequestHandler | undefined;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly events: HttpEvents;
  /** Whether health and metrics are served beside the routes. */
  readonly hasOperations: boolean;
}

/**
 * The Express app that serves the routes, and health and metrics if configured, and sends every failure in the form
 * of its area.
 */
export function createApp(parts: AppParts): Express {
  const app = express();
  const served = { bearer: parts.bearer, refused: parts.refused, callers: createCallerWatch() };
  // If an error is not caught by the handler below, Express must not send its stack.
  app.set('env', 'production');
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.use(observeExchange(parts.events));
  if (parts.hasOperations) serveOperations(app, parts);
  app.use(wellFramed());
  app.use(readableAddress());
  if (parts.webApplication !== undefined) app.use(parts.webApplication);
  // An address of its own, such as `/jobs/bulk`, is not one of those that match a pattern, such as `/jobs/:id`.
  const [fixed, patterns] = [parts.routes.filter(hasFixedPath), parts.routes.filter((route) => !hasFixedPath(route))];
  for (const routes of [fixed, patterns]) {
    for (const route of routes) app[verbOf(route)](route.path, serveRoute(route, served));
    for (const [path, methods] of methodsByPath(routes)) app.all(path, refuseMethod(methods));
  }
  app.use(() => {
    throw new CodedError('route_not_found');
  });
  // Express recognizes an error handler by its four parameters.
  app.use((error: unknown, request: express.Request, response: express.Response, _next: express.NextFunction) => {
    sendFailure(parts, { exchange: exchangeOf(request), response }, error);
  });
  return app;
}

function verbOf({ endpoint }: Route) {
  return endpoint.method.toLowerCase() as Lowercase<typeof endpoint.method>;
}

function hasFixedPath({ path }: Route): boolean {
  return !/[:*]/u.test(path);
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, endpoint } of routes) {
    const known = methods.get(path) ?? [];
    methods.set(path, [...known, ...(endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method])]);
  }
  return methods;
}

function refuseMethod(methods: readonly string[]): RequestHandler {
  const allow = methods.join(', ');
  return (request, response) => {
    if (request.method === 'OPTIONS') response.status(204).setHeader('Allow', allow).end();
    else throw new CodedError('method_not_allowed', { detail: `This address supports ${allow}`, names: { allow } });
  };
}
