import { openDirectory } from '@waybill/directory/open-directory';
import { parseConfiguration } from '@waybill/directory/parse-configuration';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { linesOf } from './lines-of.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;

beforeEach(async () => {
  platform = await openTestPlatform();
});

afterEach(async () => {
  await platform.close();
});

function platformWith(retention: object | undefined) {
  const demo = demoPlatform();
  const [acme, globex] = demo.actors;
  const virtualFileSystems = acme?.virtualFileSystems.map((system) => ({ ...system, retention })) ?? [];
  return { ...demo, actors: [{ ...acme, virtualFileSystems }, globex] as typeof demo.actors };
}

it('states for each VFS after which time its files are deleted, while it is configured', async () => {
  const directory = openDirectory({ db: platform.db, cacheMs: 0 });
  await platform.apply(platformWith({ hoursAfterPut: 24 }));
  const { id = '' } = (await directory.findVfsByName('acme-files')) ?? {};
  expect(await directory.listRetention()).toEqual([{ vfsId: id, hoursAfterPut: 24, hoursAfterGet: undefined }]);
  const changes = await platform.apply(platformWith({ hoursAfterPut: 24, hoursAfterGet: 1 }));
  expect(linesOf(changes)).toEqual(['modified VFS acme-files (retention)']);
  expect(await directory.listRetention()).toEqual([{ vfsId: id, hoursAfterPut: 24, hoursAfterGet: 1 }]);
  expect(await directory.retentionOf(id)).toEqual({ vfsId: id, hoursAfterPut: 24, hoursAfterGet: 1 });
  await platform.apply(platformWith(undefined));
  expect(await directory.listRetention()).toEqual([]);
});

it.each([[{}], [{ hoursAfterPut: 0 }], [{ hoursAfterGet: 1.5 }], [{ hours: 1 }]])('refuses %j', (retention) => {
  expect(() => parseConfiguration(platformWith(retention))).toThrow(
    expect.objectContaining({
      code: 'configuration_invalid',
      fields: expect.arrayContaining([
        expect.objectContaining({ field: expect.stringMatching(/virtualFileSystems\[0\]\.retention/u) }),
      ]),
    }),
  );
});
