import { spawnSync } from 'node:child_process';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterEach, beforeEach, expect, it } from 'vitest';

const script = path.join(import.meta.dirname, '..', '..', '..', 'deploy', 'rolling-restart');
const usage = 'usage: deploy/rolling-restart [SERVICE...]\n';
let folder: TestFolder;

beforeEach(async () => {
  folder = await createTestFolder();
});
afterEach(() => folder.remove());

/** Runs the script where `docker` is what the folder has. */
function restart(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('/bin/bash', [script, ...args], {
    env: { PATH: folder.path },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

it('says how it is used, and takes no option for a service', () => {
  expect(restart('--help')).toEqual({ status: 0, stdout: usage, stderr: '' });
  expect(restart('audit-1', '-h')).toEqual({ status: 0, stdout: usage, stderr: '' });
  expect(restart('--all')).toEqual({ status: 2, stdout: '', stderr: usage });
});

it.each([['no docker'], ['a docker without a daemon']])('ends at once where there is %s', async (which) => {
  if (which !== 'no docker') {
    const docker = path.join(folder.path, 'docker');
    await writeFile(docker, '#!/bin/bash\n[[ $1 != ps ]]\n');
    await chmod(docker, 0o755);
    await symlink('/bin/bash', path.join(folder.path, 'bash'));
  }
  expect(restart('audit-1')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^deploy\/rolling-restart: no Docker .*\n$/u),
  });
});
