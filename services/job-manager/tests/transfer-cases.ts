import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import type { ConnectionRig } from './connection-rig.ts';

/** What the cases of a transfer need: a partner's server whose files lie in a folder of this machine. */
export interface TransferSite {
  readonly rig: ConnectionRig;
  /** An empty folder of the server, another one for each test. */
  folder(): string;
  /** Cuts the connections that are open. */
  cut(): void;
}

const retry = { attempts: 5, delaySeconds: 0 };

/** The actions that the cases run. `protocol`: what the names of the tasks begin with. */
export function transferActions(protocol: 'sftp' | 'ftps', connection: string) {
  const push = { connection, source: '${{ variables.source }}', target: '${{ variables.target }}' };
  const pull = { connection, source: '${{ variables.source }}', folder: '/inbox' };
  const [pushing, pulling] = [`${protocol}-push`, `${protocol}-pull`];
  return {
    push: { uses: pushing, with: push, retry },
    'push-new': { uses: pushing, with: { ...push, ifExists: 'fail' }, retry },
    'push-to': { uses: pushing, with: { ...push, connection: '${{ variables.connection }}' } },
    pull: { uses: pulling, with: pull, retry },
    'pull-and-delete': { uses: pulling, with: { ...pull, afterwards: 'delete' }, retry },
    'pull-and-move': { uses: pulling, with: { ...pull, afterwards: 'move', moveTo: '${{ variables.to }}' } },
  };
}

/** What a push to a partner does, whatever the protocol. */
export function itPushes({ rig, folder, cut }: TransferSite): void {
  it.each([0, 1, 32_768, 3_000_001])(
    'delivers %i bytes under the name of the source, and nothing else',
    async (size) => {
      const content = randomBytes(size);
      await rig.platform.deliver('/outbox/daily.csv', content);
      const job = await rig.run('push', 'COMPLETED', { source: '/outbox/daily.csv', target: `${folder()}/` });
      expect(await readdir(folder())).toEqual(['daily.csv']);
      expect(sha256(await readFile(join(folder(), 'daily.csv')))).toBe(sha256(content));
      const outputs = { remotePath: `${folder()}/daily.csv`, size: String(size), resumedAt: '0' };
      expect(job.steps?.[0]?.outputs).toMatchObject(outputs);
    },
  );

  it('replaces a file on the server at once, or fails if it must not', async () => {
    await rig.platform.deliver('/outbox/a', Buffer.from('new'));
    await writeFile(join(folder(), 'b'), 'old');
    const variables = { source: '/outbox/a', target: `${folder()}/b` };
    expect((await rig.run('push-new', 'ERROR', variables)).statusMessage).toContain('already has');
    expect(await readFile(join(folder(), 'b'), 'utf8')).toBe('old');
    await rig.run('push', 'COMPLETED', variables);
    expect(await readFile(join(folder(), 'b'), 'utf8')).toBe('new');
    expect(await readdir(folder())).toEqual(['b']);
  });

  it('goes on where a lost connection has left it, and is complete then', async () => {
    const content = randomBytes(64 * 1024 * 1024);
    await rig.platform.deliver('/outbox/big', content);
    const id = await rig.submit('push', { source: '/outbox/big', target: `${folder()}/big` });
    const hasPart = async (): Promise<boolean> => {
      const [name] = await readdir(folder());
      return name !== undefined && (await stat(join(folder(), name))).size > 4 * 1024 * 1024;
    };
    await waitFor(hasPart, { what: 'a part of the file', intervalMs: 5 });
    cut();
    const job = await rig.manager.reaches(id, 'COMPLETED', 60_000);
    expect(Number(job.steps?.[0]?.outputs['resumedAt'])).toBeGreaterThan(0);
    expect(sha256(await readFile(join(folder(), 'big')))).toBe(sha256(content));
    expect(await readdir(folder())).toEqual(['big']);
  });
}

/** The job of a push that fails; nothing of the file is on the server. */
export async function failedPush({ rig, folder }: TransferSite, connection: string) {
  await rig.platform.deliver('/outbox/x', Buffer.from('x'));
  const job = await rig.run('push-to', 'ERROR', { connection, source: '/outbox/x', target: `${folder()}/x` });
  expect(await readdir(folder())).toEqual([]);
  return job;
}

/** What a pull from a partner does, whatever the protocol. `hardName`: one that the protocol could read wrongly. */
export function itPulls({ rig, folder, cut }: TransferSite, hardName: string): void {
  it('fetches the files of a pattern, by name, and leaves them there', async () => {
    for (const name of ['b.pgp', 'a.pgp', 'c.txt', hardName]) await writeFile(join(folder(), name), `this is ${name}`);
    await mkdir(join(folder(), 'folder.pgp'));
    const job = await rig.run('pull', 'COMPLETED', { source: `${folder()}/*.pgp` });
    const names = ['a.pgp', 'b.pgp', hardName].toSorted();
    expect(JSON.parse(job.steps?.[0]?.outputs['paths'] ?? '')).toEqual(names.map((name) => `/inbox/${name}`));
    for (const name of names) expect((await rig.platform.read(`/inbox/${name}`))?.toString()).toBe(`this is ${name}`);
    expect(await readdir(folder())).toHaveLength(5);
  });

  it('fetches nothing of an empty folder, and fails for a file that does not exist', async () => {
    const empty = await rig.run('pull', 'COMPLETED', { source: `${folder()}/*` });
    expect(empty.steps?.[0]?.outputs).toMatchObject({ count: '0', paths: '[]' });
    expect((await rig.run('pull', 'ERROR', { source: `${folder()}/absent` })).steps?.[0]?.attempts).toBe(1);
  });

  it('deletes or moves what it has stored', async () => {
    await writeFile(join(folder(), 'gone'), '1');
    await rig.run('pull-and-delete', 'COMPLETED', { source: `${folder()}/gone` });
    await mkdir(join(folder(), 'done'));
    await writeFile(join(folder(), 'kept'), '2');
    await rig.run('pull-and-move', 'COMPLETED', { source: `${folder()}/kept`, to: `${folder()}/done` });
    expect(await readdir(folder())).toEqual(['done']);
    expect(await readdir(join(folder(), 'done'))).toEqual(['kept']);
    expect((await rig.platform.read('/inbox/kept'))?.toString()).toBe('2');
  });

  it('goes on where a lost connection has left it, and stores the whole file', async () => {
    const content = randomBytes(96 * 1024 * 1024);
    await writeFile(join(folder(), 'big-pull'), content);
    const id = await rig.submit('pull', { source: `${folder()}/big-pull` });
    const isPart = (size: number): boolean =>
      size > 4 * 1024 * 1024 && size < content.length && size !== 64 * 1024 * 1024;
    await waitFor(async () => (await storedSizes(rig)).some(isPart), { what: 'a part of the file', intervalMs: 5 });
    cut();
    const job = await rig.manager.reaches(id, 'COMPLETED', 60_000);
    const stored = await rig.platform.read('/inbox/big-pull');
    expect(stored && sha256(stored)).toBe(sha256(content));
    expect(job.steps?.[0]?.outputs).toMatchObject({ count: '1', size: String(content.length) });
    expect(JSON.stringify(job.steps?.[0]?.log)).toMatch(/The transfer is resumed/u);
  });
}

/** Sizes of the blobs that are stored or being written. */
async function storedSizes(rig: ConnectionRig): Promise<number[]> {
  const entries = await readdir(rig.platform.env['BLOB_DIR'] ?? '', { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(files.map(async (file) => (await stat(file).catch(() => undefined))?.size ?? 0));
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
