import { connect } from 'node:net';

const answerTimeoutMs = 1000;

/**
 * Whether the Redis on this loopback port accepts the password and answers PING; it does not while it loads its data.
 */
export function redisAnswers({ port, password }: { port: number; password: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: answerTimeoutMs });
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    let received = '';
    socket.setEncoding('utf8');
    socket.once('connect', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    socket.on('data', (text: string) => {
      received += text;
      if (received.includes('+PONG')) settle(true);
      else if (received.includes('-')) settle(false);
    });
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
}
