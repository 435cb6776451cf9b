import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { serviceConfigShape } from '../src/config/service-config.ts';
import { runService } from '../src/run-service.ts';

// A service that prints its address on standard error, and reports whether it is ready.
await runService({
  name: 'drained',
  configSchema: z.object(serviceConfigShape),
  env: process.env,
  start: async ({ health, resources }) => {
    const server = createServer((_request, response) => {
      void health.readiness().then(({ ready }) => response.setHeader('Connection', 'close').end(String(ready)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    resources.defer(() => void server.close());
    process.stderr.write(`${(server.address() as AddressInfo).port}\n`);
  },
});
