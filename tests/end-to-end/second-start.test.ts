import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePorts, launchPlatform, type PortVariables } from './launch-platform.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const passwords = { ADMIN_PASSWORD: 'given-once-to-admin', ACME_PASSWORD: 'given-once-to-acme' };

let folder: TestFolder;
let ports: PortVariables;

beforeAll(async () => {
  folder = await createTestFolder();
  ports = await freePorts();
});
afterAll(() => folder.remove());

/** Starts the platform, does something with it, and stops it; resolves with what it printed. */
async function during(env: Readonly<Record<string, string>>, work: () => Promise<void>): Promise<string> {
  const platform = await launchPlatform({ folder: folder.path, ports, env });
  try {
    await platform.untilUp();
    await work();
  } finally {
    process.kill(platform.pid, 'SIGTERM');
    await platform.ended;
  }
  return platform.printed();
}

function takeTour(env: Readonly<Record<string, string>> = {}) {
  const args = [join(root, 'tools/tour/src/main.ts')];
  return run(process.execPath, args, { env: { ...process.env, ...env, WAYBILL_DIR: folder.path } });
}

async function logIn(password: string): Promise<number> {
  const client = createHttpClient(`http://127.0.0.1:${ports.WAYBILL_EDGE_PORT}`);
  const json = { username: 'admin', password };
  return (await client.post('/platform-application/api/v1/auth/login', { json })).status;
}

it('keeps the passwords and the configuration of the first, and the tour follows the passwords', async () => {
  const file = join(folder.path, 'platform.yaml');
  const demo = await readFile(join(root, 'deploy/demo/platform.yaml'), 'utf8');
  await writeFile(file, demo);
  await during({ ...passwords, WAYBILL_CONFIGURATION: file }, async () => {
    expect(await logIn(passwords.ADMIN_PASSWORD)).toBe(200);
  });

  await writeFile(file, demo.replace(/ {2}- name: initech[\s\S]*/u, ''));
  const printed = await during({}, async () => {
    expect([await logIn(passwords.ADMIN_PASSWORD), await logIn('admin-demo')]).toEqual([200, 401]);
    expect((await takeTour()).stdout).toContain('13 steps, all successful.');
    await expect(takeTour({ ACME_PASSWORD: 'another' })).rejects.toMatchObject({
      code: 1,
      stderr:
        'acme cannot log in with the password of ACME_PASSWORD: the platform has another password, or no such user. ' +
        'If it has another one, give it with ACME_PASSWORD=<password> npm run tour.\n',
    });
  });
  expect(printed).toContain(`The configuration ${file} was not applied, because it would remove:\n`);
  expect(printed).toContain('- VFS initech-files\n');
  expect(printed).toContain(`configuration   ${file} (NOT applied: see above)\n`);
  expect(printed).not.toMatch(/given-once|admin-demo/u);
});
