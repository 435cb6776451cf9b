import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const timeoutMs = 30_000;

/** Resolves when a server on loopback accepts connections. @throws Error that names the log if it has ended instead */
export async function untilListening(port: number, exited: Promise<unknown>, logFile: string): Promise<void> {
  let ended = false;
  void exited.finally(() => (ended = true));
  const deadline = Date.now() + timeoutMs;
  while (!(await listens(port))) {
    if (ended || Date.now() > deadline) throw new Error(`The server did not start: see ${logFile}`);
    await delay(50);
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
