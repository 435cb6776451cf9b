import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFilesRig, type FilesRig, type RunningPeer } from './files-rig.ts';

const page = new URL('../../../docs/http-files.md', import.meta.url);

let rig: FilesRig;
let peer: RunningPeer;

beforeAll(async () => {
  rig = await createFilesRig();
  peer = await rig.start('peer1');
});

afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

/** Runs the commands of a section after those that log in, against the peer, and answers what they print. */
async function runSection(title: string): Promise<string> {
  const sections = (await readFile(page, 'utf8')).split(/^## /mu);
  const commands = ['Logging in', title].map((wanted) => {
    const section = sections.find((text) => text.startsWith(`${wanted}\n`)) ?? '';
    return [...section.matchAll(/^```sh\n(.*?)^```$/gmsu)].map(([, block]) => block).join('\n');
  });
  const script = ['set -euo pipefail', ...commands].join('\n').replaceAll('http://127.0.0.1:8080', peer.url);
  await using folder = await createTestFolder().then((made) => ({ ...made, [Symbol.asyncDispose]: made.remove }));
  return (await promisify(execFile)('bash', ['-c', script], { cwd: folder.path })).stdout;
}

test('a resumable upload works as the page says', async () => {
  const printed = await runSection('Resumable uploads');
  expect(printed).toMatch(/^upload-offset: 17\r$/imu);
  expect(printed).toMatch(/^x-fileset: \d+\r$/imu);
  expect(printed).toContain('id,amount\n1,9.50\n');
});
