import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import {
  type ClientConnection,
  clientConnectionSchema,
} from '@waybill/contracts/configuration/connections/client-connection';
import { createDestinationGuard, type DestinationRules } from '@waybill/outbound/address/destination-guard';
import { openConnection, type OpenConnection } from '@waybill/outbound/connections/open-connection';
import { createCircuitBreaker } from '@waybill/outbound/limits/circuit-breaker';
import { Secret } from '@waybill/service-kit/config/secret';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

type Type = ClientConnection['type'];

/** Every type, with what it needs besides its destination. */
const types: Readonly<Record<Type, Readonly<Record<string, unknown>>>> = {
  sftp: { username: 'u', password: 'secret://p', hostKeys: [`SHA256:${'A'.repeat(43)}`] },
  ftps: { username: 'u', password: 'secret://p' },
  s3: { bucket: 'bucket', pathStyle: true, accessKeyId: 'secret://a', secretAccessKey: 'secret://s' },
  http: { maxRedirects: 3 },
  smtp: { from: 'a@example.org', security: 'none' },
  clamav: {},
  icap: { service: 'avscan' },
};
const names = Object.keys(types) as Type[];
const inUrl = new Set<Type>(['http', 's3']);

let connections = 0;
const server = createTcpServer((socket) => {
  connections += 1;
  socket.destroy();
});
/** Redirects to the server that must not be reached. */
const redirecting = createServer((_request, response) => {
  response.writeHead(307, { location: `http://${redirectHost}:${port}/` }).end();
});
let redirectHost = '';
let port = 0;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  redirecting.listen(0, '127.0.0.2');
  await Promise.all([once(server, 'listening'), once(redirecting, 'listening')]);
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.close();
  redirecting.closeAllConnections();
  redirecting.close();
});
beforeEach(() => {
  connections = 0;
});

interface Target {
  readonly host: string;
  readonly port: number;
}

function open(type: Type, { host, port: at }: Target, rules: Partial<DestinationRules> = {}): OpenConnection {
  const url = `http://${host}:${at}`;
  const place = type === 'http' ? { url } : { endpoint: url };
  const address = inUrl.has(type) ? place : { host, port: at };
  const connection = clientConnectionSchema.parse({ name: type, type, ...address, ...types[type] });
  const guard = createDestinationGuard({ allowedHosts: ['*'], allowedNetworks: [], ...rules });
  const readSecret = () => Promise.resolve(new Secret('x'));
  return openConnection(
    { owner: '', ownerId: null, connection },
    { guard, readSecret, breaker: createCircuitBreaker(type) },
  );
}

async function useIt(connection: OpenConnection): Promise<void> {
  const signal = AbortSignal.timeout(20_000);
  const { sendMail, scan, http } = connection;
  const mail = { to: ['b@example.org'], cc: [], subject: 's', text: 't', messageId: '<1@a>', attachments: [] };
  if (sendMail) await sendMail(mail, signal);
  else if (scan) await scan(content(), signal);
  else if (http) {
    using lease = await http(signal);
    await lease.client.send({ method: 'GET', path: '/', headers: {}, idempotencyKey: 'k' }, signal);
  } else {
    using lease = await existingTake(connection)(signal);
    await lease.client.session.list('/', () => true, signal);
  }
}

function existingTake({ sftp, ftps, s3 }: OpenConnection) {
  const take = sftp ?? ftps ?? s3;
  if (!take) throw new Error('There is nothing to use');
  return take;
}

async function* content(): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from('x'));
}

const refused = { code: 'destination_refused' };

describe.each(names)('a connection of the type %s', (type) => {
  it.each([
    '127.0.0.1',
    '169.254.169.254',
    '10.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '2130706433',
    '0x7f.1',
  ])('is not opened to the address %s', async (host) => {
    using connection = open(type, { host, port });
    await expect(useIt(connection)).rejects.toMatchObject(refused);
    expect(connections).toBe(0);
  });

  it('is not opened to a name that resolves to an address of this machine, also if it changes its mind', async () => {
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['::1']];
    for (const addresses of answers) {
      const lookup = () => Promise.resolve(addresses);
      using connection = open(type, { host: 'partner.example', port }, { lookup });
      await expect(useIt(connection)).rejects.toMatchObject(refused);
    }
    expect(connections).toBe(0);
  });

  it('is not opened to a name that the operator does not allow', async () => {
    const lookup = () => Promise.resolve(['192.0.2.1']);
    using connection = open(type, { host: 'partner.example', port }, { lookup, allowedHosts: ['*.example.org'] });
    await expect(useIt(connection)).rejects.toMatchObject(refused);
  });
});

describe.each(['127.0.0.1', 'localhost', '2130706433'])('a redirect to %s', (host) => {
  it.each(['http', 's3'] as const)('is not followed by %s', async (type) => {
    redirectHost = host;
    const { port: from } = redirecting.address() as AddressInfo;
    using connection = open(type, { host: '127.0.0.2', port: from }, { allowedNetworks: ['127.0.0.2/32'] });
    await expect(useIt(connection)).rejects.toMatchObject({
      code: type === 'http' ? 'destination_refused' : 'remote_refused',
    });
    expect(connections).toBe(0);
  });
});
