import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import {
  deliveryDetailsSchema,
  type DeliveryDetailsView,
} from '@waybill/contracts/endpoints/deliveries/webhook-delivery-view';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import { connectingEnv, type ConnectionRig, connectionRig } from './connection-rig.ts';
import { runTestJobManager } from './start-test-job-manager.ts';

const path = '/job-manager/webhook-deliveries';
const limits = { WEBHOOK_BODY_BYTES: '2000' };

/** A request that the receiver has had. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks, and a process that serves the interface and runs no jobs. */
export interface ReplayRig {
  readonly rig: ConnectionRig;
  /** Of the present test. */
  readonly received: readonly Received[];
  /** Sets what the receiver answers; 204 at the beginning of each test. */
  onRequest(answer: (response: ServerResponse) => void): void;
  startWorker(env?: Readonly<Record<string, string>>): ReturnType<typeof runTestJobManager>;
  /** The delivery of a job that has run. */
  deliver(step: 'hook' | 'large', status?: 'COMPLETED' | 'ERROR'): Promise<DeliveryDetailsView>;
  get(id: number | string, bearer?: string): Promise<HttpResponse>;
  find(id: number): Promise<DeliveryDetailsView>;
  replay(id: number | string, bearer?: string): Promise<HttpResponse>;
  /** Waits for the end of a replay. */
  ended(id: number): Promise<DeliveryDetailsView>;
}

/** One for all tests of the calling file. */
export function replayRig(): ReplayRig {
  const rig = connectionRig({ ROLE: 'api', ...limits });
  const received: Received[] = [];
  let answer: (response: ServerResponse) => void;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      answer(response);
    });
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = z.object({ port: z.number() }).parse(server.address());
    await rig.setSecret('replay-key', 'the first key');
    await rig.configure(connectionsTo(port), steps);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    received.length = 0;
    answer = (response) => void response.writeHead(204).end();
  });
  const get: ReplayRig['get'] = (id, bearer = rig.manager.admin) => rig.manager.client.get(`${path}/${id}`, { bearer });
  const find = async (id: number) => deliveryDetailsSchema.parse((await get(id)).json());
  return {
    rig,
    received,
    onRequest: (given) => (answer = given),
    startWorker: (env = {}) =>
      runTestJobManager(rig.platform, {
        ...connectingEnv,
        ...limits,
        ROLE: 'worker',
        ACCESS_SIGNING_KEY_FILE: '',
        ...env,
      }),
    deliver: async (step, status = 'COMPLETED') => find(await lastDelivery(rig, (await rig.run(step, status)).id)),
    get,
    find,
    replay: (id, bearer = rig.manager.admin) => rig.manager.client.post(`${path}/${id}/replay`, { bearer }),
    ended: (id) =>
      waitFor(
        async () => {
          const found = await find(id);
          return found.outcome === 'pending' ? undefined : found;
        },
        { what: `the replay ${id}`, timeoutMs: 30_000 },
      ),
  };
}

const event = { connection: 'hooks', path: 'events', event: 'file.delivered' };
const steps = {
  hook: { uses: 'webhook', with: { ...event, data: '{"path":"/inbox/ä.csv"}' } },
  large: { uses: 'webhook', with: { ...event, data: 'x'.repeat(2_000) } },
};

function connectionsTo(port: number): object[] {
  return [{ name: 'hooks', type: 'http', url: `http://127.0.0.1:${port}/api`, signingKey: 'secret://replay-key' }];
}

async function lastDelivery({ platform }: ConnectionRig, job: number): Promise<number> {
  const { rows } = await platform.db.raw<{ rows: { id: string }[] }>(
    'SELECT id FROM jobs.webhook_deliveries WHERE job_id = :job ORDER BY id DESC LIMIT 1',
    { job },
  );
  return Number(existing(rows[0]).id);
}
