import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serveInTurn } from '../src/server/serve-in-turn.ts';

let server: Server;
let begun: string[];
let answers: Map<string, () => void>;

/** Notes which requests have begun; each is answered when the test says so. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  const { url = '' } = request;
  begun.push(url);
  answers.set(url, () => response.end(`answer to ${url}`));
}

beforeEach(async () => {
  begun = [];
  answers = new Map();
  const inTurn = serveInTurn(serve);
  server = createServer((request, response) => inTurn(request, response, false));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const requestTo = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

function send(text: string) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (part: string) => (received += part));
  socket.on('error', () => {});
  socket.write(text);
  return { socket, received: () => received };
}

describe('requests that a client sends ahead', () => {
  test('begin after the response to the previous one, even if that takes long', async () => {
    const { received } = send(['/1', '/2', '/3'].map((path) => requestTo(path)).join(''));
    for (const [index, path] of ['/1', '/2', '/3'].entries()) {
      await expect.poll(() => begun.length).toBe(index + 1);
      answers.get(path)?.();
      await expect.poll(received).toContain(`answer to ${path}`);
    }
    expect(begun).toEqual(['/1', '/2', '/3']);
  });

  test('are all answered, however many there are', async () => {
    const paths = Array.from({ length: 3000 }, (_, index) => `/${index}`);
    const { received } = send(paths.map((path) => requestTo(path)).join(''));
    let answered = 0;
    const answerOne = () => {
      const answer = answers.get(`/${answered}`);
      if (answer === undefined) return;
      answered += 1;
      answer();
    };
    const timer = setInterval(() => Array.from({ length: 50 }, answerOne), 0);
    await expect.poll(received).toContain('answer to /2999');
    clearInterval(timer);
    expect(begun).toEqual(paths);
  });

  test('of a client that has gone are not done', async () => {
    const { socket } = send(requestTo('/1') + requestTo('/2'));
    await expect.poll(() => begun).toEqual(['/1']);
    socket.destroy();
    await expect.poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0);
    answers.get('/1')?.();
    await setImmediate();
    expect(begun).toEqual(['/1']);
  });

  test('do not hold up those of other connections', async () => {
    send(requestTo('/1') + requestTo('/2'));
    send(requestTo('/3'));
    await expect.poll(() => begun.toSorted()).toEqual(['/1', '/3']);
  });
});
