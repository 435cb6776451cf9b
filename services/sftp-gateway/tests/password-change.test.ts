import { expect, it } from 'vitest';
import { requestUserauth, userauthRequest } from './channel-client.ts';
import { HandshakeClient, message, string } from './handshake-client.ts';
import { metricOf } from './metric-of.ts';
import { oneGateway } from './test-gateways.ts';

const peer = oneGateway();

async function connect(): Promise<HandshakeClient> {
  const client = await HandshakeClient.open(peer.gateway.sftpPort);
  await client.exchangeKeys();
  await requestUserauth(client);
  return client;
}

/** RFC 4252, section 8: the old password, followed by the new one. */
const change = (user: string, oldPassword: string, newPassword: string) =>
  userauthRequest(user, 'password', Buffer.of(1), string(oldPassword), string(newPassword));

const failuresOf = async (user: string) =>
  (await peer.rig.audited()).filter(
    ({ dataoneUser, auditMessage }) => dataoneUser === user && auditMessage.includes('failed to log in'),
  ).length;

const refusedLogins = () =>
  metricOf(peer.gateway.httpUrl, 'waybill_sftp_logins_total', { method: 'password', outcome: 'refused' });

it.each([
  ['with the right old password', 'globex', 'globex-demo'],
  ['with a wrong old password', 'acme', 'wrong'],
  ['for a user that does not exist', 'mallory', 'guess'],
])('a request to change the password is a failed attempt: %s', async (_name, user, oldPassword) => {
  await using client = await connect();
  client.send(change(user, oldPassword, 'a new one'));
  const refusal = await client.receive(message.userauthFailure);
  expect(refusal.toString('latin1')).toContain('publickey,password,keyboard-interactive');
  expect(await failuresOf(user)).toBe(1);
  // It is one of three: the connection continues with the present password.
  client.send(userauthRequest(user, 'password', Buffer.of(0), string(`${user}-demo`)));
  const isUser = user !== 'mallory';
  await client.receive(isUser ? message.userauthSuccess : message.userauthFailure);
});

it('three of them end the connection, and count like three wrong passwords', async () => {
  await using client = await connect();
  const before = await refusedLogins();
  for (const newPassword of ['', 'again', 'x'.repeat(20_000)]) {
    client.send(change('initech', 'initech-demo', newPassword));
    if (newPassword.length < 20_000) await client.receive(message.userauthFailure);
  }
  const goodbye = await client.receive(message.disconnect);
  expect(goodbye.toString('utf8', 9)).toContain('Too many failed logins');
  await client.closed();
  expect(await failuresOf('initech')).toBe(3);
  expect(await refusedLogins()).toBe(before + 3);
  expect(await metricOf(peer.gateway.httpUrl, 'waybill_sftp_failures_total', { operation: 'login' })).toBe(0);
});
