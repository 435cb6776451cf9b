import { randomUUID } from 'node:crypto';
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expectStatus } from './expect-status.ts';
import type { Itinerary } from './itinerary.ts';
import { listOutbox } from './list-outbox.ts';
import type { Narrator } from './narrator.ts';
import { refusedPassword } from './passwords.ts';

/** The file that was sent, when, and the result of the contract. */
export interface Delivery {
  content: Buffer;
  startedAt: Date;
  packedName: string;
}

/** Who delivers, and where to. */
export interface DeliverOptions extends Pick<Itinerary, 'sftp' | 'keyFile' | 'passwords'> {
  acme: HttpClient;
}

/** The partner's half: an invoice is delivered over SFTP, and the contract compresses and forwards it. */
export async function deliverInvoice(options: DeliverOptions, narrator: Narrator): Promise<Delivery> {
  const { acme, sftp, keyFile, passwords } = options;
  const { password } = passwords.acme;
  const content = Buffer.from(`number,amount\n${randomUUID()},100\n`.repeat(1000));
  const packedName = 'invoice.csv.gz';
  const startedAt = new Date();

  await narrator.step(
    'acme logs in over HTTP',
    async () => {
      const answer = await acme.post('/2.0/login/basic', { form: { username: 'acme', password } });
      if (answer.status === 401) throw refusedPassword('acme', passwords.acme);
      expectStatus(answer, 200);
      if (acme.cookies.get('sp-http-usr') !== 'acme') throw new Error('the cookie sp-http-usr is not acme');
      return acme.cookies.get('sp-http-ses') ?? '';
    },
    (session) => `cookies sp-http-usr=acme and sp-http-ses of ${session.length} characters`,
  );
  const before = await listOutbox(acme);

  await narrator.step(
    'acme puts invoice.csv into /inbox over SFTP, with a password',
    () => putInvoice({ sftp, password }, content),
    () => `${content.length} bytes stored`,
  );
  await narrator.step(
    'The contract `invoices` compresses it at once',
    () =>
      waitFor(
        async () => {
          const file = (await listOutbox(acme)).find(({ name }) => name === packedName);
          return file !== undefined && !before.some(({ fileset }) => fileset === file.fileset) ? file : undefined;
        },
        { what: `a new /outbox/${packedName}` },
      ),
    ({ name, fileset }) => `/outbox/${name} exists, fileset ${fileset}`,
  );
  if (keyFile !== undefined) {
    await narrator.step(
      'acme lists /outbox over SFTP, with a key',
      async () => {
        const printed = await runAsAcme({ sftp, identityFile: keyFile }, ['ls -1 /outbox']);
        const line = printed.split('\n').find((text) => text === `/outbox/${packedName}`);
        if (line === undefined) throw new Error(`${packedName} is not in the listing: ${printed}`);
        return line;
      },
      (line) => `${line} is listed`,
    );
  }
  return { content, startedAt, packedName };
}

async function putInvoice(login: AcmeLogin, content: Buffer): Promise<void> {
  await using folder = await temporaryFolder();
  const file = path.join(folder.path, 'invoice.csv');
  await writeFile(file, content);
  await runAsAcme(login, [`put ${file} /inbox/invoice.csv`]);
}

/** The address and the credentials. */
type AcmeLogin = { sftp: Itinerary['sftp'] } & ({ identityFile: string } | { password: string });

/** Runs commands in the OpenSSH client as acme and returns its output; throws if one of them fails. */
async function runAsAcme({ sftp, ...proof }: AcmeLogin, commands: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runSftp({ ...sftp, user: 'acme', ...proof, commands });
  if (exitCode !== 0) throw new Error(`sftp ended with exit code ${exitCode}: ${stderr.trim()}`);
  return stdout;
}

/** A folder that is removed when it is disposed of. */
async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'waybill-tour-'));
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
