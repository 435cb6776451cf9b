import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/*
 * The cost of receiving a body and discarding it. Responds with the processor seconds that this took. Takes folder and port
 * as arguments.
 */
const [, port = '0'] = process.argv.slice(2);

createServer((request, response) => {
  take(request, response).catch(() => response.destroy());
}).listen(Number(port), '127.0.0.1');

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const before = process.cpuUsage();
  request.resume();
  await new Promise((resolve, reject) => request.once('end', resolve).once('error', reject));
  const { user, system } = process.cpuUsage(before);
  response.writeHead(request.method === 'PUT' ? 201 : 404).end(String((user + system) / 1e6));
}
