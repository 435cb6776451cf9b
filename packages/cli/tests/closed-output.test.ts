import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const main = path.join(import.meta.dirname, '..', 'src', 'main.ts');

it.each([
  ['lists the keys', ['signing-keys', 'list'], 0],
  ['helps', ['help'], 0],
  ['names what is wrong', ['validate', 'wrong.yaml'], 1],
])('waybill ends quietly when it %s and its reader is gone', async (_what, args, exitCode) => {
  const folder = await createTestFolder();
  try {
    await writeFile(path.join(folder.path, 'wrong.yaml'), 'manger: 1\nmanager: 2\nclusters: 3\n');
    const env = { PATH: process.env['PATH'], ACCESS_SIGNING_KEY_FILE: 'access.pem', SFTP_HOST_KEY_DIR: '.' };
    // The pipe has no reader before the first line is written.
    const script = '{ exec 3>&1; } ; { sleep 0.2; "$@" 2>&1; echo "exit code $?" >&3; } | exec <&-';
    const { stdout, stderr } = await run('bash', ['--norc', '-c', script, 'bash', process.execPath, main, ...args], {
      cwd: folder.path,
      env,
    });
    expect({ stdout, stderr }).toEqual({ stdout: `exit code ${exitCode}\n`, stderr: '' });
  } finally {
    await folder.remove();
  }
});
