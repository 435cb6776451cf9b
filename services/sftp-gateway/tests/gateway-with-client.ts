import { afterAll, beforeAll } from 'vitest';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway, type GatewayOptions, type OneGateway } from './test-gateways.ts';

/** A gateway with a client of `globex` that sends single packets. */
export interface GatewayWithClient extends OneGateway {
  readonly client: RawSftpClient;
  /** The handle of an opened file; throws if it is refused. */
  open(path: string, flags: number): Promise<Buffer>;
}

/** One for all tests of the calling file; it is started before the first of them. */
export function gatewayWithClient(options: GatewayOptions = {}): GatewayWithClient {
  const peer = oneGateway(options);
  let client: RawSftpClient | undefined;
  const connected = () => {
    if (client === undefined) throw new Error('the client only exists while tests run');
    return client;
  };
  beforeAll(async () => {
    client = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex' });
  });
  afterAll(() => client?.[Symbol.asyncDispose]());
  return {
    get rig() {
      return peer.rig;
    },
    get gateway() {
      return peer.gateway;
    },
    get client() {
      return connected();
    },
    open: async (path, flags) => {
      const request = { type: 'open', id: 1, path: Buffer.from(path), flags, attributes: {} } as const;
      const opened = await connected().ask(request);
      if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${opened.type}`);
      return Buffer.from(opened.handle);
    },
  };
}
