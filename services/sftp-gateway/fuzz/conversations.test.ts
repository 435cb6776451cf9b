import { stat } from 'node:fs/promises';
import { runSftp } from '@waybill/test-kit/run-sftp';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGatewayRig, type GatewayRig, type RunningGateway } from '../tests/gateway-rig.ts';
import { connectRawSftp } from '../tests/raw-sftp-client.ts';
import { anyMessage, folderAgain } from './any-message.ts';
import { Conversation } from './conversation.ts';

const messagesAtOnce = 25;
const exchanges = 20;
const conversations = 50;
const clients = 8;

let rig: GatewayRig;
let gateway: RunningGateway;

beforeAll(async () => {
  rig = await createGatewayRig();
  gateway = await rig.start('peer1');
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});

test('200 000 messages of eight clients at once, in conversations of 500, have exactly one valid response each', async () => {
  const batch = fc.array(anyMessage, { minLength: messagesAtOnce, maxLength: messagesAtOnce });
  const conversation = fc.array(batch, { minLength: exchanges, maxLength: exchanges });
  const login = { port: gateway.sftpPort, user: 'globex' };
  const answered = new Map<string, number>();
  const everyAnswerFits = fc.asyncProperty(conversation, async (batches) => {
    await using client = await connectRawSftp(login);
    const talk = new Conversation(client);
    for (const messages of [folderAgain, ...batches]) await talk.exchange(messages);
    for (const [type, count] of talk.answered) answered.set(type, (answered.get(type) ?? 0) + count);
  });
  // A conversation depends on the files of all others: a smaller one need not fail as well.
  const run = () => fc.assert(everyAnswerFits, { numRuns: conversations, endOnFailure: true });
  await Promise.all(Array.from({ length: clients }, run));
  // Enough of them were successful.
  for (const type of ['handle', 'data', 'attrs', 'name', 'extended-reply']) {
    expect(answered.get(type), type).toBeGreaterThan(1_000);
  }
  // Another client is served, whatever has happened to /data: it may have been renamed, or removed.
  const after = await runSftp({
    ...login,
    password: 'globex-demo',
    commands: ['mkdir /untouched', `put ${import.meta.filename} /untouched/file`, 'ls -l /untouched', 'ls -l /'],
  });
  expect(after).toMatchObject({ exitCode: 0, stderr: '' });
  expect(after.stdout).toContain(String((await stat(import.meta.filename)).size));
});
