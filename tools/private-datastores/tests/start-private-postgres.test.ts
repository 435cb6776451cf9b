import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PrivatePostgres, startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

describe('startPrivatePostgres', () => {
  let outer: string;
  let folder: string;
  let postgres: PrivatePostgres;

  beforeAll(async () => {
    outer = await mkdtemp(path.join(tmpdir(), 'waybill-private-postgres-'));
    // As inaccessible to other users as /root.
    await chmod(outer, 0o700);
    folder = path.join(outer, 'clone', '.waybill', 'postgres');
    postgres = await startPrivatePostgres({ folder, settings: fast });
  });

  afterAll(async () => {
    await postgres.stop();
    await rm(outer, { recursive: true, force: true });
  });

  it('accepts connections on loopback after its start, in a folder that only its owner can enter', async () => {
    await expect(accepts('127.0.0.1', postgres.port)).resolves.toBe(true);
  });

  it('lets only its owner read the password', async () => {
    const { mode } = await stat(path.join(folder, 'password'));
    expect(mode & 0o777).toBe(0o600);
    expect(postgres.url()).toMatch(/^postgres:\/\/waybill:[\w-]{32}@127\.0\.0\.1:\d+\/waybill$/);
  });

  it('accepts connections through a socket in its folder too, with the password', async () => {
    const { port } = postgres;
    await expect(accepts(path.join(folder, 'data', `.s.PGSQL.${port}`))).resolves.toBe(true);
    expect(postgres.socketUrl('other')).toBe(
      `${postgres.url('other')}?host=${encodeURIComponent(path.join(folder, 'data'))}`,
    );
    const hba = await readFile(path.join(folder, 'data', 'pg_hba.conf'), 'utf8');
    expect(hba).toMatch(/^local\s+all\s+all\s+scram-sha-256$/mu);
    expect(hba).not.toMatch(/^[^#].*\btrust$/mu);
  });

  it('starts again after kill -9 on the same port with the same address', async () => {
    const before = postgres.url();
    await postgres.kill();
    postgres = await startPrivatePostgres({ folder, port: postgres.port, settings: fast });
    expect(postgres.url()).toBe(before);
  });

  it('starts although its pid file names a process of another program', async () => {
    const { port } = postgres;
    await postgres.stop();
    await writeFile(path.join(folder, 'data', 'postmaster.pid'), `${process.pid}\n${folder}\n`);
    postgres = await startPrivatePostgres({ folder, port, settings: fast });
    await expect(accepts('127.0.0.1', port)).resolves.toBe(true);
  });

  it('ends a server that an earlier run left behind, and takes its place', async () => {
    const leftover = postgres;
    postgres = await startPrivatePostgres({ folder, port: leftover.port, settings: fast });
    await expect(leftover.exited).resolves.toEqual({ code: 0, signal: null });
    await expect(accepts('127.0.0.1', postgres.port)).resolves.toBe(true);
  });
});

function accepts(...[host, port]: [host: string, port: number] | [socketPath: string]): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...(port === undefined ? { path: host } : { host, port }), timeout: 1000 });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });
}
