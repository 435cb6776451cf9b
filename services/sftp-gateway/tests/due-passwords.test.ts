import { runSftp } from '@waybill/test-kit/run-sftp';
import { beforeEach, describe, expect, it } from 'vitest';
import { requestUserauth, userauthRequest } from './channel-client.ts';
import { HandshakeClient, message, string } from './handshake-client.ts';
import { metricOf } from './metric-of.ts';
import { oneGateway } from './test-gateways.ts';

const users = ['due', 'late', 'both'].map((name) => ({ name, password: 'secret-of-the-user' }));
const peer = oneGateway({ rig: { users }, env: { SFTP_LOGIN_FAILURES_PER_USER: '100' } });
const present = 'secret-of-the-user';
const chosen = 'correct horse battery';
const infoRequest = 60;
const infoResponse = 61;

beforeEach(async () => {
  await peer.rig.database.query(
    "UPDATE directory.partner_users SET password_change_required = true WHERE name IN ('due', 'late')",
  );
});

const sftp = (user: string, options: { password: string; newPassword?: string; method: string }) =>
  runSftp({
    port: peer.gateway.sftpPort,
    user,
    commands: ['ls /'],
    password: options.password,
    ...(options.newPassword !== undefined && { newPassword: options.newPassword }),
    sshOptions: { PreferredAuthentications: options.method, LogLevel: 'INFO' },
  });
const auditOf = async (user: string) =>
  (await peer.rig.audited()).filter(({ dataoneUser }) => dataoneUser === user).map(({ auditMessage }) => auditMessage);

describe('a password that must be changed', () => {
  it('opens no session by the method password: the client is told why', async () => {
    const { exitCode, stderr } = await sftp('late', { password: present, method: 'password' });
    expect(exitCode).toBe(255);
    expect(stderr).toContain('You must change your password: change it over HTTP, or log in with keyboard-interactive');
    expect((await auditOf('late')).at(-1)).toContain('User late was turned away: You must change your password');
    const wrong = await sftp('late', { password: 'wrong', method: 'password' });
    expect(wrong.stderr).not.toContain('change your password');
  });

  it('is changed by keyboard-interactive with the OpenSSH client, whose login goes on with the new one', async () => {
    const first = await sftp('due', { password: present, newPassword: chosen, method: 'keyboard-interactive' });
    expect([first.exitCode, first.stdout]).toEqual([0, expect.stringContaining('data')]);
    await expect
      .poll(() => auditOf('due'))
      .toEqual(['Password changed for user due', 'User due has logged in', 'User due has logged out']);
    expect((await sftp('due', { password: present, method: 'password' })).exitCode).toBe(255);
    await peer.rig.database.query(
      "UPDATE directory.partner_users SET password_change_required = false WHERE name = 'due'",
    );
    expect((await sftp('due', { password: chosen, method: 'password' })).exitCode).toBe(0);
    expect(await metricOf(peer.gateway.httpUrl, 'waybill_sftp_password_changes_total', { outcome: 'changed' })).toBe(1);
  });
});

/** Answers rounds of prompts; returns what the server asked for in each, and the type of its last packet. */
async function converse(
  user: string,
  rounds: readonly (readonly string[])[],
): Promise<{ asked: string[]; end: number }> {
  await using client = await HandshakeClient.open(peer.gateway.sftpPort);
  await client.exchangeKeys();
  await requestUserauth(client);
  client.send(userauthRequest(user, 'keyboard-interactive', string(''), string('')));
  const asked: string[] = [];
  for (const answers of rounds) {
    const packet = await client.receiveAny('a request or the end');
    if (packet.readUInt8(0) !== infoRequest) return { asked, end: packet.readUInt8(0) };
    asked.push(packet.toString('utf8', 1));
    const count = Buffer.alloc(4);
    count.writeUInt32BE(answers.length);
    client.send(Buffer.concat([Buffer.of(infoResponse), count, ...answers.map((answer) => string(answer))]));
  }
  return { asked, end: (await client.receiveAny('the end')).readUInt8(0) };
}

describe('the dialogue about a new password', () => {
  it('says why it asks, and why a choice is refused; after three of them the connection ends', async () => {
    const { asked, end } = await converse('late', [[present], ['a', 'b'], ['short', 'short'], [present, present]]);
    expect(end).toBe(message.disconnect);
    expect(asked).toHaveLength(4);
    expect(asked[1]).toContain('You must change your password');
    expect(asked[1]).toContain('New password again: ');
    expect(asked[2]).toContain('The two passwords differ');
    expect(asked[3]).toContain('The new password needs 12 characters or more');
    expect(await auditOf('late')).toContain('Password change failed for user late');
  });

  it.each([
    ['no answers', []],
    ['one answer', [chosen]],
    ['a hundred answers', Array.from({ length: 100 }, () => chosen)],
  ])('ends for %s, and the password stays', async (_what, answers) => {
    expect((await converse('late', [[present], answers])).end).toBe(message.disconnect);
    const { asked } = await converse('late', [[present]]).catch(() => ({ asked: ['ended'] }));
    expect(asked).toHaveLength(1);
  });

  it('is not begun with a wrong password, and a huge choice is refused', async () => {
    expect((await converse('late', [['wrong']])).end).toBe(message.userauthFailure);
    const huge = 'x'.repeat(5_000);
    const { asked } = await converse('late', [[present], [huge, huge], ['a', 'b'], ['a', 'b']]);
    expect(asked[2]).toContain('needs 1024 characters or less');
  });
});
