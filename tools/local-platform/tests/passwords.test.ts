import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { tourFile } from '../src/configuration/platform-folder.ts';
import type { Waybill } from '../src/configuration/start-waybill.ts';
import { type ConfigurationRig, openConfigurationRig, platform, startWaybillOfRigs } from './configuration-rig.ts';

let waybill: Waybill;
let rig: ConfigurationRig;

beforeAll(() => {
  waybill = startWaybillOfRigs();
});
afterAll(() => waybill[Symbol.asyncDispose]());
beforeEach(async () => {
  rig = await openConfigurationRig(waybill);
});
afterEach(() => rig.close());

it('keeps a password that was given once, in a file that only its owner can read', async () => {
  const password = `it's "$HOME" \`#\` \\ ä€ \n`;
  await rig.start({ ADMIN_PASSWORD: password });
  expect(await rig.logsIn(password)).toBe(true);
  const { lines, inForce } = await rig.start();
  expect(lines.at(-1)).toBe('  Nothing to change: the configuration is already applied.');
  expect(await rig.logsIn(password)).toBe(true);
  const file = inForce.remembered?.variables['ADMIN_PASSWORD'] ?? '';
  expect(await readFile(file, 'utf8')).toBe(`${password}\n`);
  for (const secret of [file, rig.folder.configuration]) expect((await stat(secret)).mode & 0o777).toBe(0o600);
  expect(await readFile(rig.folder.configuration, 'utf8')).not.toContain('HOME');
  await rig.start({ ADMIN_PASSWORD: 'on purpose', ADMIN_PASSWORD_FILE: '' });
  await rig.start({ ADMIN_PASSWORD: '' });
  expect([await rig.logsIn('on purpose'), await rig.logsIn('admin-demo')]).toEqual([true, false]);
});

it('keeps a password whose file no longer exists', async () => {
  const secret = path.join(rig.files.path, 'secret');
  await writeFile(secret, 'from a file\n');
  await rig.start({ ADMIN_PASSWORD_FILE: secret });
  expect((await rig.start()).inForce.remembered?.variables).toEqual({ ADMIN_PASSWORD: secret });
  await writeFile(secret, '');
  expect((await rig.start()).lines.at(-2)).toMatch(/ADMIN_PASSWORD_FILE names a file that is empty/u);
  expect([await rig.logsIn('from a file'), await rig.logsIn('admin-demo')]).toEqual([true, false]);
});

it('keeps a password that was given to an older release, or that was changed by hand since', async () => {
  const demo = path.join('deploy', 'demo', 'platform.yaml');
  await rig.apply(demo, { ADMIN_PASSWORD: 'older' });
  await writeFile(tourFile(rig.folder), '');
  const { lines, inForce } = await rig.start();
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}! admin keeps the password/u));
  expect(inForce.keepers).toEqual(new Set(['admin']));
  expect([await rig.logsIn('older'), await rig.logsIn('admin-demo')]).toEqual([true, false]);
  await rig.start({ ADMIN_PASSWORD: 'remembered' });
  await rig.apply(demo, { ADMIN_PASSWORD: 'by hand' });
  expect((await rig.start()).inForce.keepers).toEqual(new Set(['admin']));
  expect(await rig.logsIn('by hand')).toBe(true);
});

it('resets a password that its user changed when the variable is given, and names the user otherwise', async () => {
  await rig.start();
  const changeToViewers = (): Promise<unknown> =>
    rig.database.query(`
      UPDATE directory.manager_users SET password_hash = viewer.password_hash
        FROM directory.manager_users viewer WHERE viewer.name = 'viewer' AND manager_users.name = 'admin'`);
  await changeToViewers();
  const { lines, inForce } = await rig.start();
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}! admin keeps the password/u));
  expect(inForce.keepers).toEqual(new Set(['admin']));
  expect((await rig.start({ ADMIN_PASSWORD: 'admin-demo' })).inForce.keepers).toEqual(new Set());
  expect([await rig.logsIn('admin-demo'), await rig.logsIn('viewer-demo')]).toEqual([true, false]);
  await changeToViewers();
  expect((await rig.start()).inForce.keepers).toEqual(new Set(['admin']));
  expect(await rig.logsIn('viewer-demo')).toBe(true);
});

it('prints the whole command that sets the first password, with the address of this platform', async () => {
  const file = await rig.configurationFile(platform('acme').replace(/ password: '[^']+',/u, ''));
  const { lines } = await rig.start({ WAYBILL_CONFIGURATION: file });
  expect(lines).toContain(
    '  ! admin has no password. This command asks for one and sets it, once and for 24 hours; earlier codes no longer work:',
  );
  expect(lines.at(-1)).toMatch(
    /^ {6}npm run -s waybill -- login --url http:\/\/127\.0\.0\.1:19000 --user admin --code [0-9A-Z-]{29}$/u,
  );
});
