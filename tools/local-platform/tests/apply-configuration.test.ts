import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
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

const goesOn = 'The platform goes on with the configuration that is in force.';

const actors = async () =>
  (await rig.database.query('SELECT name FROM directory.actors ORDER BY name')).map((row) => String(row['name']));

it('applies the demo by default, and the next time nothing', async () => {
  expect((await rig.start()).lines).toEqual([
    'Applying the configuration deploy/demo/platform.yaml',
    expect.stringMatching(/^ {2}Applied: \d+ created, 0 modified, 0 deleted\.$/u),
  ]);
  expect((await rig.start()).lines).toEqual([
    'Applying the configuration deploy/demo/platform.yaml',
    '  Nothing to change: the configuration is already applied.',
  ]);
});

it('applies the file that WAYBILL_CONFIGURATION names, also at the next start, and prints its changes', async () => {
  const file = await rig.configurationFile(platform('acme'));
  await rig.start({ WAYBILL_CONFIGURATION: file });
  expect(await actors()).toEqual(['acme']);
  await rig.configurationFile(platform('acme', 'hooli'));
  expect((await rig.start()).lines).toEqual([
    `Applying the configuration ${file}`,
    '  + Actor hooli',
    '  + External User hooli',
    '  + VFS hooli-files',
    '  Applied: 3 created, 0 modified, 0 deleted.',
  ]);
});

it('removes nothing unless it is allowed to, for this start only', async () => {
  const file = await rig.configurationFile(platform('acme', 'hooli'));
  await rig.start({ WAYBILL_CONFIGURATION: file });
  await rig.configurationFile(platform('acme'));
  const { lines } = await rig.start();
  expect(lines).toEqual([
    `Applying the configuration ${file}`,
    `The configuration ${file} was not applied, because it would remove:`,
    '  - Actor hooli',
    '  - External User hooli',
    '  - VFS hooli-files',
    `Add what is missing to the file, or remove it with WAYBILL_CONFIGURATION=${file} WAYBILL_REMOVALS=allow npm start.`,
    goesOn,
  ]);
  expect(await actors()).toEqual(['acme', 'hooli']);
  expect((await rig.start({ WAYBILL_REMOVALS: 'allow' })).lines).toContain('  - VFS hooli-files');
  expect(await actors()).toEqual(['acme']);
  await rig.configurationFile(platform('globex'));
  await rig.start();
  expect(await actors()).toEqual(['acme']);
});

it('keeps a platform whose configuration was applied by hand, when the demo would remove some of it', async () => {
  await rig.start();
  const file = await rig.configurationFile(platform('acme', 'hooli'));
  await rig.apply(file, { ADMIN_PASSWORD: 'by hand' });
  expect((await rig.start()).lines).toContainEqual(
    expect.stringMatching(/^The configuration deploy\/demo\/platform\.yaml was not applied, /u),
  );
  expect(await actors()).toEqual(['acme', 'hooli']);
  await rig.start({ WAYBILL_REMOVALS: 'allow' });
  expect(await actors()).toEqual(['acme', 'globex', 'initech']);
  expect([await rig.logsIn('by hand'), await rig.logsIn('admin-demo')]).toEqual([true, false]);
});

it('reports that a VFS still holds files, even if removals are allowed, and continues', async () => {
  const file = await rig.configurationFile(platform('acme', 'hooli'));
  await rig.start({ WAYBILL_CONFIGURATION: file });
  await rig.database.query(`
    INSERT INTO filebox.uploads (blob_id, storage_class, parent_id, name, user_name, resumable, holder, lease_until)
    SELECT gen_random_uuid(), 'local', id, 'a.csv', 'hooli', true, gen_random_uuid(), now()
      FROM filebox.entries WHERE name = 'in'`);
  await rig.configurationFile(platform('acme'));
  const { lines, inForce } = await rig.start();
  expect(lines).toContain('  - VFS hooli-files (holds 1 file)');
  expect(lines.join('\n')).toContain('A VFS that holds files cannot be removed: ');
  expect(lines.join('\n')).not.toContain('WAYBILL_REMOVALS');
  expect(inForce).toMatchObject({ rejected: file, remembered: { file } });
  expect((await rig.start({ WAYBILL_REMOVALS: 'allow' })).lines.slice(-2)).toEqual([
    expect.stringMatching(/could not be applied: VFS hooli-files cannot be removed: it holds 1 file\. .* first\.$/u),
    goesOn,
  ]);
  expect(await actors()).toEqual(['acme', 'hooli']);
});

it.each([
  ['does not exist', undefined, /There is no file/u],
  ['is empty', '', /could not be applied/u],
  ['is not YAML', 'a: [', /is not YAML/u],
  ['is not text', '\0\u{fffd}\0', /could not be applied/u],
  [
    'has two errors',
    platform('acme').replace('SFTP }', 'FTP }').replace('Partner', 'Friend'),
    /protocol: .+; .+type: /u,
  ],
  ['names an unset variable', platform('acme').replace(':-a-default', ''), /variable ACME_PASSWORD is not set/u],
])('refuses a first start whose file %s, in one sentence', async (_, text, fault) => {
  const wrong = path.join(rig.files.path, 'wrong.yaml');
  if (text !== undefined) await writeFile(wrong, text);
  const outcome = rig.start({ WAYBILL_CONFIGURATION: wrong });
  await expect(outcome).rejects.toThrow(fault);
  await expect(outcome).rejects.toMatchObject({ name: 'Refusal', message: expect.not.stringContaining('\n') });
});

it('continues with the configuration in force if the file is invalid or missing, and does not store a file that was never applied', async () => {
  const file = await rig.configurationFile(platform('acme'));
  await rig.start({ WAYBILL_CONFIGURATION: file });
  const missing = await rig.start({ WAYBILL_CONFIGURATION: path.join(rig.files.path, 'none.yaml') });
  expect(missing.lines.at(-2)).toMatch(/There is no file/u);
  expect(missing.lines.at(-1)).toBe(goesOn);
  expect(missing.inForce.remembered?.file).toBe(file);
  await rig.configurationFile('a: [');
  expect((await rig.start()).lines.at(-1)).toBe(goesOn);
  await rig.configurationFile(platform('acme'));
  expect((await rig.start()).lines.at(-1)).toBe('  Nothing to change: the configuration is already applied.');
});

it.each([['{'], ['[]'], ['{"file":"","variables":{}}'], ['{"file":"/x","variables":{"../up":"/x"}}']])(
  'refuses stored state that contains %j',
  async (text) => {
    await writeFile(rig.folder.configuration, text);
    await expect(rig.start()).rejects.toMatchObject({
      name: 'Refusal',
      message: expect.stringContaining('is damaged'),
    });
  },
);
