import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';

const rig = connectionRig();
const mails: { readonly from: string; readonly to: readonly string[]; readonly content: string }[] = [];
let refuse: ((address: string) => Error | undefined) | undefined;
let onData: (() => Error | undefined) | undefined;

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  onRcptTo: ({ address }, _session, done) => done(refuse?.(address)),
  onData: (stream, { envelope }, done) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const failure = onData?.();
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const to = envelope.rcptTo.map(({ address }) => address);
      mails.push({ from, to, content: Buffer.concat(chunks).toString() });
      done(failure);
    });
  },
});
const answering = (code: number, message: string): Error => Object.assign(new Error(message), { responseCode: code });
const retry = { attempts: 3, delaySeconds: 0 };
const variable = (name: string): string => `\${{ variables.${name} }}`;
const simple = { to: 'a@example.org', subject: 'Hello', text: 'The text', attachments: '' };

beforeAll(async () => {
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const smtp = { type: 'smtp', host: '127.0.0.1', port, from: 'waybill@example.org' };
  await rig.configure(
    [
      { ...smtp, name: 'mail', security: 'none' },
      { ...smtp, name: 'mail-with-tls' },
    ],
    {
      mail: {
        uses: 'send-email',
        with: {
          connection: 'mail',
          to: variable('to'),
          subject: variable('subject'),
          text: variable('text'),
          attachments: variable('attachments'),
        },
        retry,
      },
      'mail-with-tls': {
        uses: 'send-email',
        with: { connection: 'mail-with-tls', to: 'a@b.cc', subject: 's', text: '' },
      },
    },
  );
});
afterAll(async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(resolve);
  await promise;
});
beforeEach(() => {
  mails.length = 0;
  refuse = undefined;
  onData = undefined;
});

it('sends a mail with files to all recipients', async () => {
  await rig.platform.deliver('/outbox/report.txt', Buffer.from('a line of the report'));
  const to = 'a@example.org, b@example.org';
  const job = await rig.run('mail', 'COMPLETED', {
    ...simple,
    to,
    subject: 'Tägliches',
    attachments: '/outbox/report.txt',
  });
  const [mail] = mails;
  expect(mail).toMatchObject({ from: 'waybill@example.org', to: ['a@example.org', 'b@example.org'] });
  const { messageId = '' } = job.steps?.[0]?.outputs ?? {};
  expect(mail?.content).toContain(`Message-ID: ${messageId}`);
  expect(mail?.content).toContain(Buffer.from('a line of the report').toString('base64'));
  expect(mail?.content).toContain('filename=report.txt');
  expect(job.steps?.[0]?.outputs['recipients']).toBe('2');
});

it('repeats a mail with the same Message-ID after a temporary refusal', async () => {
  onData = () => (mails.length < 1 ? answering(451, 'try later') : undefined);
  const job = await rig.run('mail', 'COMPLETED', simple);
  expect(job.steps?.[0]?.attempts).toBe(2);
  const ids = mails.map(({ content }) => /^Message-ID: (.*)$/mu.exec(content)?.[1]);
  expect(new Set(ids).size).toBe(1);
});

it.each([
  ['a server that refuses the mail', { data: answering(554, 'spam') }, '554 spam'],
  ['a recipient that does not exist', { recipient: answering(550, 'no such user') }, '550 no such user'],
])('fails at once for %s', async (_, { data, recipient }: { data?: Error; recipient?: Error }, message) => {
  onData = () => data;
  refuse = () => recipient;
  const job = await rig.run('mail', 'ERROR', simple);
  expect(job.steps?.[0]).toMatchObject({ attempts: 1, error: expect.stringContaining(message) });
});

it.each([
  ['a line end in the subject', { subject: 'a\r\nBcc: x@example.org' }, 'subject'],
  ['a line end in an address', { to: 'a@example.org\r\nRCPT TO:<x@example.org>' }, 'to'],
  ['no recipient', { to: ' , ' }, 'to'],
  ['an address that is none', { to: 'nobody' }, 'to'],
])('refuses %s, and sends nothing', async (_, variables, field) => {
  const job = await rig.run('mail', 'ERROR', { ...simple, ...variables });
  expect(job.steps?.[0]).toMatchObject({ attempts: 1, error: expect.stringContaining(field) });
  expect(mails).toEqual([]);
});

it('never falls back to an unencrypted connection', async () => {
  const job = await rig.run('mail-with-tls', 'ERROR');
  expect(job.statusMessage).toMatch(/TLS/u);
  expect(mails).toEqual([]);
});
