import { createHash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type PlatformProcess, startPlatformProcess } from '@waybill/end-to-end/platform-process';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { waitFor } from '@waybill/test-kit/wait-for';
import { runOutcome } from './run-client.ts';
import type { Login } from './transfer-client.ts';

/** The partner acme's place on a platform of the test's own, over SFTP and, to look at it from the other side, HTTP. */
export interface PartnerServer extends AsyncDisposable {
  readonly platform: PlatformProcess;
  /** A folder of this machine that goes with it. */
  readonly folder: string;
  /** An empty folder within. */
  newFolder(): Promise<string>;
  login(by: 'password' | 'key', port?: number): Login;
  /** SHA-256 of a file's bytes, read over HTTP; undefined where there is none. */
  hashOf(path: string): Promise<string | undefined>;
  /** Stores a file over HTTP. */
  store(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  makeFolder(path: string): Promise<void>;
  /** Names in a folder, over HTTP; undefined where there is none. */
  namesIn(path: string): Promise<string[] | undefined>;
  /** Resolves when the gateway has no session open from any of these ports. */
  untilGone(clientPorts: readonly number[]): Promise<void>;
}

/** Starts a platform, as `npm start` does. */
export async function startPartnerServer(): Promise<PartnerServer> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await createTestFolder());
  const platform = stack.use(await startPlatformProcess());
  const hostKeys = await readHostKeys(platform.sftpPort);
  const http = platform.http();
  await expectStatus(200, http.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } }));
  const owned = stack.move();
  return {
    platform,
    folder,
    newFolder: () => mkdtemp(join(folder, 'files-')),
    login: (by, port = platform.sftpPort) => ({
      port,
      user: 'acme',
      password: 'acme-demo',
      ...(by === 'key' ? { identityFile: platform.acmeKeyFile } : {}),
      hostKeys,
      folder,
    }),
    ...viewOverHttp(http),
    untilGone: (clientPorts) => untilGone(platform, clientPorts),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function viewOverHttp(http: HttpClient): Pick<PartnerServer, 'hashOf' | 'store' | 'makeFolder' | 'namesIn'> {
  return {
    hashOf: async (path) => {
      const { status, bytes } = await http.get(`/2.0/files${encoded(path)}`);
      if (status === 404) return undefined;
      if (status !== 200) throw new Error(`${path} was answered with ${status}`);
      return createHash('sha256').update(bytes).digest('hex');
    },
    store: async (path, body) => {
      const headers = { 'content-type': 'application/octet-stream' };
      await expectStatus(201, http.put(`/2.0/files${encoded(path)}`, { body, headers }));
    },
    makeFolder: (path) => expectStatus(201, http.put(`/2.0/folders${encoded(path)}`)),
    namesIn: async (path) => {
      const answer = await http.get(`/2.0/directories${encoded(path)}`, { query: { limit: 100 } });
      if (answer.status === 404) return undefined;
      return (answer.json() as { files: { filename: string }[] }).files.map(({ filename }) => filename);
    },
  };
}

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

async function expectStatus(expected: number, answer: ReturnType<HttpClient['get']>): Promise<void> {
  const { status, text } = await answer;
  if (status !== expected) throw new Error(`answered ${status} instead of ${expected}: ${text}`);
}

/** Fingerprints of all host keys, as `ssh-keygen -l` prints them. */
async function readHostKeys(port: number): Promise<string[]> {
  const keys = await runOutcome(['ssh-keyscan', '-p', `${port}`, '127.0.0.1']);
  const { stdout } = await runOutcome(['ssh-keygen', '-l', '-f', '-'], { input: keys.stdout });
  return stdout.match(/SHA256:\S+/g) ?? [];
}

async function untilGone(platform: PlatformProcess, clientPorts: readonly number[]): Promise<void> {
  const bearer = await platform.adminToken();
  const json = {
    clusterName: 'cluster1',
    peerName: 'peer1',
    protocol: 'SFTP',
    serverName: 'sftp-server',
    maxItem: 1000,
  };
  await waitFor(
    async () => {
      const path = '/platform-application/api/v1/infrastructure/clusters/server-sessions/query';
      const answer = await platform.http().post(path, { bearer, json });
      if (answer.status !== 200) throw new Error(`the open sessions were answered with ${answer.status}`);
      const sessions = answer.json() as { clientPort: string }[];
      return !sessions.some(({ clientPort }) => clientPorts.includes(Number(clientPort)));
    },
    { what: 'the sessions of the broken link to have ended', timeoutMs: 60_000, intervalMs: 200 },
  );
}
