import { afterAll, beforeAll } from 'vitest';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';

/** A gateway with a client of `globex` that sends single packets. */
export interface GatewayWithClient {
  readonly rig: GatewayRig;
  readonly gateway: RunningGateway;
  readonly client: RawSftpClient;
  /** The handle of an opened file; throws if it is refused. */
  open(path: string, flags: number): Promise<Buffer>;
}

/** One for all tests of the calling file; it is started before the first of them. */
export function gatewayWithClient(): GatewayWithClient {
  const resources = new AsyncDisposableStack();
  let parts: Pick<GatewayWithClient, 'rig' | 'gateway' | 'client'> | undefined;
  const started = () => {
    if (parts === undefined) throw new Error('the gateway only exists while tests run');
    return parts;
  };
  beforeAll(async () => {
    const rig = resources.use(await createGatewayRig());
    const gateway = resources.use(await rig.start('peer1'));
    const client = resources.use(await connectRawSftp({ port: gateway.sftpPort, user: 'globex' }));
    parts = { rig, gateway, client };
  });
  afterAll(() => resources.disposeAsync());
  return {
    get rig() {
      return started().rig;
    },
    get gateway() {
      return started().gateway;
    },
    get client() {
      return started().client;
    },
    open: async (path, flags) => {
      const opened = await started().client.ask({
        type: 'open',
        id: 1,
        path: Buffer.from(path),
        flags,
        attributes: {},
      });
      if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${opened.type}`);
      return Buffer.from(opened.handle);
    },
  };
}
