import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runWaybill } from '@waybill/test-kit/processes/run-waybill';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { SMTPServer } from 'smtp-server';
import { afterAll, expect, it } from 'vitest';
import { dailyAt, expectationSite, hoursFromNow } from './expectation-rig.ts';

const secretKeys = newKeyRingEntry();
const site = expectationSite({ SECRET_KEYS: secretKeys, OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8' });
const stop = new AsyncDisposableStack();
const mails: string[] = [];
const hooks: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];

const webhooks = createServer((request, response) => {
  void buffer(request).then((body) => {
    hooks.push({ headers: request.headers, body: body.toString() });
    response.end();
  });
});
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  onData: (stream, _session, done) => {
    stream.on('end', done);
    void buffer(stream).then((content) => mails.push(content.toString().replaceAll('=\r\n', '')));
  },
});
afterAll(() => stop.disposeAsync());

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stop.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
};

/** The recipe as the page shows it, with a due time and servers of this test. */
async function recipe(cron: string): Promise<string> {
  const page = await readFile(fileURLToPath(new URL('../../../docs/recipes.md', import.meta.url)), 'utf8');
  const [, section = ''] = page.split('\n## A file that is due by nine is missing\n');
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/u.exec(section) ?? [];
  const changes: readonly (readonly [string, string])[] = [
    ['cron: 0 9 * * MON-FRI', `cron: ${cron}`],
    ['timeZone: Europe/Berlin', 'timeZone: UTC'],
    ['url: https://shifts.example.org', `url: 'http://127.0.0.1:${await listening(webhooks)}'`],
    ['host: smtp.example.org', `host: 127.0.0.1\n    port: ${await listening(smtp.server)}\n    security: none`],
    ['    username: waybill\n    password: secret://mail\n', ''],
  ];
  return changes.reduce((text, [before, after]) => {
    expect(text).toContain(before);
    return text.replace(before, after);
  }, yaml);
}

const waybill = (...args: readonly string[]) =>
  runWaybill(args, { DATABASE_URL: site.platform.database.url, SECRET_KEYS: secretKeys });

it('operations get a mail and the other system a signed webhook when the file is missing, and a mail when it comes late', async () => {
  await using folder = await createTestFolder();
  const due = hoursFromNow(-2);
  const [configuration, secret] = ['platform.yaml', 'secret.txt'].map((name) => path.join(folder.path, name));
  await writeFile(existing(configuration), await recipe(dailyAt(due)));
  await writeFile(existing(secret), 'the key of the shifts');
  expect(await waybill('secret', 'set', 'shifts-key', '--file', existing(secret))).toMatchObject({ code: 0 });
  expect(await waybill('apply', existing(configuration))).toMatchObject({ code: 0 });

  await site.judgeAt(hoursFromNow(-3));
  await site.judgeAt(hoursFromNow(0));
  await waitFor(() => mails.length === 1 && hooks.length === 1, { what: 'a mail and a webhook' });
  expect(mails[0]).toContain('Subject: Missing: daily-orders');
  expect(mails[0]).toContain(`0 files have come; they were due at ${due.toISOString()}.`);
  const { headers, body } = existing(hooks[0]);
  expect(JSON.parse(body)).toMatchObject({
    type: 'files.missing',
    data: { expectation: 'daily-orders', dueAt: due.toISOString() },
  });
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = headers;
  const mac = createHmac('sha256', 'the key of the shifts').update(`${String(id)}.${String(time)}.${body}`);
  expect(signature).toBe(`v1,${mac.digest('base64')}`);

  await site.platform.deliver('/inbox/orders-1.csv', Buffer.from('late'));
  await waitFor(() => mails.length === 2, { what: 'a second mail' });
  expect(mails[1]).toContain('Subject: Late: daily-orders');
  expect(mails[1]).toContain(`orders-1.csv has come. It was due at ${due.toISOString()}.`);
  expect(hooks).toHaveLength(1);
});
