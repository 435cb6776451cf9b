import { join } from 'node:path';
import { expect } from 'vitest';
import type { Capability } from '../capability.ts';
import { hashFile, writeRandomFile } from '../local-files.ts';
import type { Login } from '../transfer-client.ts';
import type { Trial } from '../trial.ts';

const fileSize = 3 * 1_048_576 + 1;

async function expectRoundTrip({ server, local, remote, asClient }: Trial, name: string, login?: Login): Promise<void> {
  const hash = await writeRandomFile(join(local, 'sent'), 5_000);
  await asClient(async (client) => {
    await client.upload(join(local, 'sent'), `${remote}/${name}`);
    await client.download(`${remote}/${name}`, join(local, 'fetched'));
  }, login);
  expect(await server.hashOf(`${remote}/${name}`)).toBe(hash);
  expect(await hashFile(join(local, 'fetched'))).toBe(hash);
}

async function expectNameToBeKept(trial: Trial, name: string): Promise<void> {
  await expectRoundTrip(trial, name);
  expect(await trial.server.namesIn(trial.remote)).toEqual([name]);
  if (trial.can('list')) expect(await trial.asClient((client) => client.list(trial.remote))).toEqual([name]);
}

/** Logging in, and a file in either direction. */
export const transfers: readonly Capability[] = [
  {
    title: 'login with a password',
    needs: ['upload', 'download'],
    run: (trial) => expectRoundTrip(trial, 'by-password', trial.server.login('password')),
  },
  {
    title: 'login with a key',
    needs: ['upload', 'download'],
    run: (trial) => expectRoundTrip(trial, 'by-key', trial.server.login('key')),
  },
  {
    title: 'upload, and again over the file',
    needs: ['upload'],
    run: async ({ server, local, remote, asClient }) => {
      for (const size of [fileSize, 1_000, 0]) {
        const hash = await writeRandomFile(join(local, 'sent'), size);
        await asClient((client) => client.upload(join(local, 'sent'), `${remote}/file.bin`));
        expect(await server.hashOf(`${remote}/file.bin`)).toBe(hash);
      }
      expect(await server.namesIn(remote)).toEqual(['file.bin']);
    },
  },
  {
    title: 'download',
    needs: ['download'],
    run: async ({ server, local, remote, asClient }) => {
      const bytes = crypto.getRandomValues(new Uint8Array(60_001));
      for (const [name, body] of Object.entries({ 'file.bin': bytes, 'empty.bin': new Uint8Array() })) {
        await server.store(`${remote}/${name}`, body);
        await asClient((client) => client.download(`${remote}/${name}`, join(local, name)));
        expect(await hashFile(join(local, name))).toBe(await server.hashOf(`${remote}/${name}`));
      }
    },
  },
  {
    title: 'a name with spaces',
    needs: ['upload', 'download'],
    run: (trial) => expectNameToBeKept(trial, '  three spaces, at both ends too '),
  },
  {
    title: 'a name in Unicode',
    needs: ['upload', 'download'],
    run: (trial) => expectNameToBeKept(trial, 'Ångström, 数据, 🚚 & ’quotes’'),
  },
  {
    title: 'a name of 255 bytes',
    needs: ['upload', 'download'],
    run: (trial) => expectNameToBeKept(trial, `${'ü'.repeat(125)}.text`),
  },
];
