import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const lineSchema = z.looseObject({ sequence: z.int(), id: z.uuid(), auditCode: z.string() });

/** A request that a webhook has received. */
export interface ReceivedBatch {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
  readonly records: readonly z.infer<typeof lineSchema>[];
}

/** A webhook on the loopback interface. `answer` replaces its behaviour; it returns whether it has accepted the batch. */
export async function startWebhookReceiver(signingKey: string) {
  const receiver = {
    accepted: [] as ReceivedBatch[],
    requests: 0,
    answer: undefined as ((response: ServerResponse, batch: ReceivedBatch) => boolean) | undefined,
    sequences: () => receiver.accepted.flatMap(({ records }) => records.map(({ sequence }) => sequence)),
  };
  const server = createServer((request, response) => {
    receiver.requests += 1;
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const lines = body.toString().split('\n');
      const isValid = request.method === 'POST' && isSigned(request.headers, body, signingKey) && lines.pop() === '';
      if (!isValid) {
        response.writeHead(401).end();
        return;
      }
      const records = lines.map((line) => lineSchema.parse(JSON.parse(line)));
      const batch = { headers: request.headers, bytes: body.length, records };
      const isAccepted = receiver.answer?.(response, batch) ?? true;
      if (isAccepted) receiver.accepted.push(batch);
      if (!receiver.answer) response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/audit`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

/** As the receiver of a webhook verifies it: the signature, and that it is not old. */
function isSigned(headers: IncomingHttpHeaders, body: Buffer, key: string): boolean {
  const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > 300) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  const given = Buffer.from(String(headers['webhook-signature']).replace(/^v1,/u, ''), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
