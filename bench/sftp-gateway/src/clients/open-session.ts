import { once } from 'node:events';
import { Client, type ClientChannel } from 'ssh2';
import type { BenchServer } from '../servers/bench-server.ts';

/** Logs in and opens the SFTP channel; ends when it is disposed of. */
export async function openSession(
  server: BenchServer,
  credentials: { readonly privateKey: Buffer } | { readonly password: string },
): Promise<AsyncDisposable> {
  const client = new Client();
  const closed = once(client, 'close').catch(() => {});
  client.connect({
    host: '127.0.0.1',
    port: server.port,
    username: server.user,
    readyTimeout: 120_000,
    algorithms: { kex: ['curve25519-sha256'], serverHostKey: ['ssh-ed25519'], cipher: ['aes128-gcm@openssh.com'] },
    ...credentials,
  });
  await once(client, 'ready');
  const channel = await new Promise<ClientChannel>((resolve, reject) => {
    client.subsys('sftp', (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  const answered = once(channel, 'data');
  // INIT of version 3; the response is VERSION.
  channel.write(Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3]));
  await answered;
  return {
    [Symbol.asyncDispose]: async () => {
      client.end();
      await closed;
    },
  };
}
