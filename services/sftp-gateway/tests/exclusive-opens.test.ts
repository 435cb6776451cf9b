import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { describe, expect, it } from 'vitest';
import { filesOfTwoUsers } from './files-of-two-users.ts';
import type { RawSftpClient } from './raw-sftp-client.ts';

const { read, write, create, truncate, exclusive } = openFlag;
const { ok, failure } = statusCode;

const two = filesOfTwoUsers();
const { at, status, open, writeAt, close, put, get, leftOver } = two;

/** The handle, or the status and its message. */
async function tryToOpen(by: RawSftpClient, name: string, flags: number): Promise<Buffer | string> {
  const answer = await by.ask({ type: 'open', id: 1, path: at(name), flags, attributes: {} });
  if (answer.type === 'handle') return Buffer.from(answer.handle);
  return answer.type === 'status' ? `${answer.code} ${answer.message}` : answer.type;
}

/** Two sessions of one user send the same OPEN at the same moment, and close their handles. */
async function openAtOnce(sessions: readonly RawSftpClient[], name: string, flags: number) {
  const outcomes = await Promise.all(sessions.map((by) => tryToOpen(by, name, flags)));
  const closed: unknown[] = [];
  for (const [index, by] of sessions.entries()) {
    const outcome = outcomes[index];
    if (typeof outcome === 'object') closed.push(await close(by, outcome));
  }
  return { refused: outcomes.filter((outcome) => typeof outcome === 'string'), closed };
}

describe('OPEN with CREATE and EXCLUSIVE', () => {
  it.each([
    ['WRITE', write],
    ['WRITE and TRUNCATE', write | truncate],
    ['READ and WRITE', read | write],
    ['READ', read],
  ])(
    'and %s by two sessions of one user at the same moment gives one of them a handle',
    async (_name, access) => {
      await using second = await two.connect('globex');
      for (let round = 0; round < 50; round += 1) {
        const name = `file-${round}`;
        const { refused, closed } = await openAtOnce([two.client, second], name, access | create | exclusive);
        expect(refused).toEqual([expect.stringMatching(new RegExp(`^${failure} .*already`, 'u'))]);
        expect(closed).toEqual([ok]);
      }
      expect(await leftOver()).toBe(0);
    },
    120_000,
  );

  it('is refused while another session of the user is writing the file, and discloses nothing to another user', async () => {
    const handle = await open(two.client, 'f', write | create | truncate);
    expect(await writeAt(two.client, handle, 'mine')).toBe(ok);
    await using second = await two.connect('globex');
    const asking = { type: 'open', path: at('f'), flags: write | create | exclusive, attributes: {} } as const;
    expect(await status(second, asking)).toBe(failure);
    const theirs = await open(two.other, 'f', write | create | exclusive);
    expect(await writeAt(two.other, theirs, 'theirs')).toBe(ok);
    expect(await close(two.client, handle)).toBe(ok);
    expect(await close(two.other, theirs)).toBe(failure);
    expect(await get(two.other, 'f')).toBe('mine');
    expect(await leftOver()).toBe(0);
  });

  it('is refused for a folder, and succeeds once the file is removed', async () => {
    expect(await status(two.client, { type: 'mkdir', path: at('in'), attributes: {} })).toBe(ok);
    expect(await tryToOpen(two.client, 'in', write | create | exclusive)).toMatch(/^4 /u);
    await put(two.client, 'f', 'old');
    expect(await tryToOpen(two.client, 'f', write | create | exclusive)).toMatch(/^4 .*already/u);
    expect(await two.remove(two.client, 'f')).toBe(ok);
    const handle = await open(two.client, 'f', write | create | exclusive);
    expect(await close(two.client, handle)).toBe(ok);
    expect(await get(two.other, 'f')).toBe('');
  });
});

it('OPEN with READ and CREATE by two sessions at the same moment gives both a handle of one empty file', async () => {
  await using second = await two.connect('globex');
  for (let round = 0; round < 25; round += 1) {
    const { refused, closed } = await openAtOnce([two.client, second], `file-${round}`, read | create);
    expect({ refused, closed }).toEqual({ refused: [], closed: [ok, ok] });
  }
  expect(await leftOver()).toBe(0);
});
