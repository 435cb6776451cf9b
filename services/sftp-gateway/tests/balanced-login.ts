import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'ssh2';

/** The address of the balancer. */
export const balancerAddress = '127.0.0.2';

/** PROXY protocol v2 for a client at this address. */
export function proxyHeaderOf(address: string): Buffer {
  const isV6 = address.includes(':');
  const header = Buffer.alloc(isV6 ? 52 : 28);
  header.write('\r\n\r\n\0\r\nQUIT\n', 'latin1');
  header.set([0x21, isV6 ? 0x21 : 0x11, 0, isV6 ? 36 : 12], 12);
  if (isV6) header.set(bytesOfIpv6(address), 16);
  else header.set(address.split('.').map(Number), 16);
  header.writeUInt16BE(4711, isV6 ? 48 : 24);
  return header;
}

function bytesOfIpv6(address: string): number[] {
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - (before?.length ?? 0) - (after?.length ?? 0) }, () => '0');
  const groups = [...(before ?? []), ...zeros, ...(after ?? [])].map((group) => Number.parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 255]);
}

/** One login behind the balancer: `in`, `refused`, or the server's disconnect message. */
export async function logInFrom(login: {
  port: number;
  from: string;
  password?: string | undefined;
  user?: string | undefined;
}): Promise<string> {
  const { port, from, password = 'globex-demo', user = 'globex' } = login;
  const socket = connect({ port, host: '127.0.0.1', localAddress: balancerAddress });
  await once(socket, 'connect');
  socket.write(proxyHeaderOf(from));
  let plain = '';
  socket.on('data', (chunk: Buffer) => (plain += chunk.toString('latin1')));
  const client = new Client();
  const ended = new Promise<string>((resolve) => {
    client.on('error', (error) => resolve(error.message));
    client.on('close', () => resolve(plain));
  });
  const ready = once(client, 'ready').then(() => 'in');
  ready.catch(() => {});
  // ssh2's client reports the reason of a disconnect only in its debug lines.
  let goodbye = '';
  const debug = (line: string) => {
    if (line.includes('Received DISCONNECT')) goodbye = line;
  };
  client.connect({ sock: socket, username: user, password, debug });
  const outcome = await Promise.race([ready, ended]);
  client.end();
  if (/authentication methods failed/u.test(outcome)) return 'refused';
  if (goodbye !== '') return goodbye;
  return plain.startsWith('SSH-') ? outcome : plain;
}
