import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const triesAtMost = 100;

/**
 * A free TCP port on loopback, chosen at random below those that systems give to outgoing connections: so no connection takes it
 * before its server does. @throws Error if a hundred ports in a row are taken
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < triesAtMost; tries += 1) {
    const port = randomInt(10_000, 20_000);
    if (await isFree(port)) return port;
  }
  throw new Error('No TCP port is free');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
