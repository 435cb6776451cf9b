import { freePort } from '@waybill/private-datastores/free-port';
import type { PlatformProcess } from './platform-process.ts';
import { startSecondService } from './second-service.ts';

/** A second gateway and a second peer of the file interface, of the same platform. */
export interface SecondPeers extends AsyncDisposable {
  readonly sftpPort: number;
  readonly filesUrl: string;
}

/** Starts them with the settings of the first ones. */
export async function startSecondPeers(platform: Pick<PlatformProcess, 'folder'>): Promise<SecondPeers> {
  await using resources = new AsyncDisposableStack();
  const [sftpPort, gatewayPort, filesPort] = [await freePort(), await freePort(), await freePort()];
  const start = async (service: string, port: number, more: Readonly<Record<string, string>>) => {
    const settings = { PEER_NAME: 'peer2', PORT: String(port), ...more };
    resources.use(await startSecondService(platform, service, settings));
  };
  await Promise.all([
    start('sftp-gateway', gatewayPort, { SFTP_PORT: String(sftpPort) }),
    start('http-files', filesPort, {}),
  ]);
  const owned = resources.move();
  return {
    sftpPort,
    filesUrl: `http://127.0.0.1:${filesPort}`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
