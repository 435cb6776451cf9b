import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Health } from '@waybill/service-kit/telemetry/health';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import express, { type Express } from 'express';

/** The sources of health and metrics. */
export interface Operations {
  readonly health: Health;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
}

/** Adds `/health/live`, `/health/ready` and `/metrics` to an app. */
export function serveOperations(app: Express, { health, metrics }: Operations): void {
  app.get('/health/live', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/health/ready', async (_request, response) => {
    const readiness = await health.readiness();
    response.status(readiness.ready ? 200 : 503).json(readiness);
  });
  app.get('/metrics', async (_request, response) => {
    response.setHeader('Content-Type', metrics.contentType).end(await metrics.text());
  });
}

/** A separate listener for health and metrics, over plain HTTP. Disposing of it closes its connections. */
export async function listenForOperations(
  operations: Operations,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<AsyncDisposable> {
  const app = express();
  app.set('env', 'production');
  app.disable('x-powered-by');
  serveOperations(app, operations);
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000 }, (request, response) => {
    app(request, response);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
