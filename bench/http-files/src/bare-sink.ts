import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { receiveInto } from '@waybill/http-kit/receive-into';

/*
 * What it costs to receive a body and to do nothing with it: into memory that is used again, without a copy in between.
 * Answers with the processor seconds that this took. Takes folder and port as arguments.
 */
const [, port = '0'] = process.argv.slice(2);
const blocks = [Buffer.alloc(2 * 1024 * 1024)];
const memory = {
  blocks,
  lend: (index: number, bytes: number) => blocks[index]?.subarray(0, bytes) ?? Buffer.alloc(0),
  whenFree: () => undefined,
};

createServer((request, response) => {
  take(request, response).catch(() => response.destroy());
}).listen(Number(port), '127.0.0.1');

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const before = process.cpuUsage();
  if (request.method === 'PUT') for await (const _chunk of receiveInto(request, response, memory, () => {}));
  const { user, system } = process.cpuUsage(before);
  response.writeHead(request.method === 'PUT' ? 201 : 404).end(String((user + system) / 1e6));
}
