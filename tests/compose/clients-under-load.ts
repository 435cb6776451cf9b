import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tokenPairSchema } from '@waybill/contracts/endpoints/access/token-pair';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { runSftp } from '@waybill/test-kit/run-sftp';

/** Where a composed platform is, and the passwords of its demo users. */
export interface ComposedPlatform {
  readonly partners: string;
  readonly administrators: string;
  readonly sftp: { readonly host: string; readonly port: number };
  readonly passwords: { readonly admin: string; readonly acme: string };
}

/** One kind of client: asks once, and throws when it does not get what it should. */
export type Client = () => Promise<void>;

/** Every kind of client that a service has, by the service. */
export async function openClients(platform: ComposedPlatform): Promise<Readonly<Record<string, Client>>> {
  const { partners, administrators, sftp, passwords } = platform;
  const acme = createHttpClient(partners);
  const admin = createHttpClient(administrators);
  const expectStatus = ({ status, text }: { status: number; text: string }, ...expected: readonly number[]): void => {
    if (!expected.includes(status)) throw new Error(`answered ${status}: ${text.slice(0, 200)}`);
  };
  const logIn = async (): Promise<string> => {
    const json = { username: 'admin', password: passwords.admin };
    const answer = await admin.post('/platform-application/api/v1/auth/login', { json });
    expectStatus(answer, 200);
    return tokenPairSchema.parse(answer.json()).accessToken;
  };
  const bearer = await logIn();
  const form = { username: 'acme', password: passwords.acme };
  expectStatus(await acme.post('/2.0/login/basic', { form }), 200);
  const sessions = '/platform-application/api/v1/infrastructure/clusters/server-sessions';
  const headers = { 'content-type': 'text/plain' };
  const folder = await mkdtemp(join(tmpdir(), 'waybill-load-'));
  const file = join(folder, 'load.txt');
  await writeFile(file, 'y'.repeat(10_000));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  let count = 0;
  return {
    'http-files, listing': async () => expectStatus(await acme.get('/2.0/directories/inbox'), 200),
    'http-files, uploading': async () => {
      const path = `/2.0/files/inbox/load-${count++ % 20}.txt`;
      expectStatus(await acme.put(path, { body: 'x'.repeat(10_000), headers }), 200, 201);
    },
    'job-manager, listing': async () => expectStatus(await admin.get('/job-manager/jobs?maxItems=1', { bearer }), 200),
    'job-manager, logging in': async () => void (await logIn()),
    'audit, listing': async () => {
      const query = { page: 0, limit: 10, sort: '-auditTime' };
      expectStatus(await admin.get('/platform-application/api/v1/audit/logs', { bearer, query }), 200);
    },
    'sftp-gateway, sessions': async () => expectStatus(await admin.get(sessions, { bearer }), 200),
    'sftp-gateway, delivering': async () => {
      const login = { ...sftp, user: 'acme', password: passwords.acme };
      const name = `/inbox/sftp-${count++ % 20}.txt`;
      const { exitCode, stderr } = await runSftp({ ...login, commands: [`put ${file} ${name}`, `ls ${name}`] });
      if (exitCode !== 0) throw new Error(`sftp ended with ${exitCode}: ${stderr}`);
    },
  };
}
