import { expect, it } from 'vitest';
import { createConfigurationTurns, type TurnRequest } from './configuration-turns.ts';

/** Work that ends when it is told to, or with its signal. Its name is a user and a kind: `anna plan`. */
function createWork(limits = { ofUser: 2, inAll: 3 }) {
  const turns = createConfigurationTurns(limits);
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const start = (name: string, client = new AbortController()) => {
    const [user = '', kind] = name.split(' ');
    const request = { user, kind: kind as TurnRequest['kind'], signal: client.signal };
    const result = turns(request, async (stop) => {
      begun.push(name);
      await new Promise<void>((resolve, reject) => {
        ends.set(name, resolve);
        stop.addEventListener('abort', () => reject(new Error('stopped')));
      });
      return name;
    });
    result.catch(() => {});
    return { result, leave: () => client.abort(new Error('gone')) };
  };
  const end = async (name: string): Promise<void> => {
    await expect.poll(() => begun.at(-1)).toBe(name);
    ends.get(name)?.();
  };
  return { start, end, begun };
}

it('runs one at a time: applies first, then plans, then reads, and users in turn', async () => {
  const { start, end, begun } = createWork();
  const names = ['anna plan', 'anna plan', 'anna export', 'ben validate', 'anna apply', 'ben plan'];
  const started = names.map((name) => start(name).result);
  for (const name of ['anna plan', 'anna apply', 'ben plan', 'anna plan', 'ben validate', 'anna export']) {
    await end(name);
  }
  expect(await Promise.all(started)).toEqual(names);
  expect(begun).toHaveLength(names.length);
});

it('a read gives way to a change of anybody, and runs again afterwards', async () => {
  const { start, end, begun } = createWork();
  const read = start('sid validate');
  await expect.poll(() => begun).toEqual(['sid validate']);
  const later = start('sid export');
  const apply = start('anna apply');
  await end('anna apply');
  expect(await apply.result).toBe('anna apply');
  await end('sid validate');
  expect(await read.result).toBe('sid validate');
  await end('sid export');
  expect(await later.result).toBe('sid export');
  expect(begun).toEqual(['sid validate', 'anna apply', 'sid validate', 'sid export']);
});

it('a change gives way to nothing, and is not ended when its client goes', async () => {
  const { start, end, begun } = createWork();
  const plan = start('anna plan');
  await expect.poll(() => begun).toEqual(['anna plan']);
  start('ben apply');
  plan.leave();
  await end('anna plan');
  expect(await plan.result).toBe('anna plan');
  await end('ben apply');
});

it('requests whose clients have gone are dropped before their turn, and make room', async () => {
  const { start, end, begun } = createWork();
  const first = start('anna plan');
  const waiting = [start('ben plan'), start('ben apply')];
  await expect(start('ben plan').result).rejects.toMatchObject({ code: 'too_many_requests' });
  for (const { leave } of waiting) leave();
  for (const { result } of waiting) await expect(result).rejects.toThrow('gone');
  const last = start('ben plan');
  await end('anna plan');
  await end('ben plan');
  expect(await Promise.all([first.result, last.result])).toEqual(['anna plan', 'ben plan']);
  expect(begun).toEqual(['anna plan', 'ben plan']);
  const gone = new AbortController();
  gone.abort(new Error('gone'));
  await expect(start('anna plan', gone).result).rejects.toThrow('gone');
});

it('a read whose client goes while it runs is ended, and does not run again', async () => {
  const { start, end, begun } = createWork();
  const read = start('sid export');
  await expect.poll(() => begun).toEqual(['sid export']);
  read.leave();
  await expect(read.result).rejects.toThrow('stopped');
  start('anna plan');
  await end('anna plan');
  expect(begun).toEqual(['sid export', 'anna plan']);
});

it('refuses more of a user, and more in all; reads take no room of changes', async () => {
  const { start, begun } = createWork();
  start('anna apply');
  await expect.poll(() => begun).toEqual(['anna apply']);
  for (const name of ['sid validate', 'sid export']) start(name);
  await expect(start('sid validate').result).rejects.toMatchObject({
    code: 'too_many_requests',
    message: '2 other checks and exports of yours are waiting: try again in 5 seconds',
    names: { retryAfterSeconds: '5' },
  });
  start('ben validate');
  await expect(start('cleo validate').result).rejects.toMatchObject({
    message: '3 other checks and exports are waiting: try again in 5 seconds',
  });
  for (const name of ['sid plan', 'sid plan', 'ben apply']) start(name);
  await expect(start('anna plan').result).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(begun).toEqual(['anna apply']);
});

it('a failure ends the turn', async () => {
  const turns = createConfigurationTurns({ ofUser: 1, inAll: 1 });
  const { signal } = new AbortController();
  const failing = turns({ kind: 'plan', user: 'anna', signal }, () => Promise.reject(new Error('lost')));
  const next = turns({ kind: 'plan', user: 'anna', signal }, () => Promise.resolve('next'));
  await expect(failing).rejects.toThrow('lost');
  expect(await next).toBe('next');
});
