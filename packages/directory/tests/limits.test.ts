import { afterEach, beforeEach, expect, it } from 'vitest';
import { demoPlatform, parse } from './demo-platform.ts';
import { linesOf } from './lines-of.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;

beforeEach(async () => {
  platform = await openTestPlatform();
});

afterEach(async () => {
  await platform.close();
});

function platformWith(limits: object | undefined) {
  const demo = demoPlatform();
  const [acme, globex] = demo.actors;
  const virtualFileSystems = acme?.virtualFileSystems.map((system) => ({ ...system, limits })) ?? [];
  const actors = [{ ...acme, virtualFileSystems }, globex] as typeof demo.actors;
  return { ...demo, actors };
}

it('hands on the limits of a VFS when they are set, changed and taken away, and only then', async () => {
  await platform.apply(platformWith(undefined));
  platform.limited.length = 0;
  expect(linesOf(await platform.plan(platformWith({ bytes: 10 })))).toEqual(['modified VFS acme-files (limits)']);
  expect(linesOf(await platform.apply(platformWith({ bytes: 10 })))).toEqual(['modified VFS acme-files (limits)']);
  await platform.apply(platformWith({ bytes: 10 }));
  await platform.apply(platformWith({ files: 3, folders: 2, depth: 1 }));
  await platform.apply(platformWith(undefined));
  expect(platform.limited.map(([, limits]) => limits)).toEqual([
    // Planning does the same work, and rolls it back.
    { bytes: 10 },
    { bytes: 10 },
    { files: 3, folders: 2, depth: 1 },
    undefined,
  ]);
  expect(new Set(platform.limited.map(([name]) => name))).toEqual(new Set(['acme-files']));
});

it.each([{ bytes: -1 }, { bytes: 1.5 }, { files: '3' }, { depth: 1_001 }, { size: 1 }])(
  'refuses %j as limits',
  (limits) => {
    expect(() => parse(platformWith(limits))).toThrow(/virtualFileSystems\[0\]\.limits/u);
  },
);
