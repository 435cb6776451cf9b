import { exportSources } from '@waybill/directory/export-source';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await openTestPlatform();
  await platform.apply(demoPlatform());
});

afterAll(() => platform.close());

const names = ['a', 'b', 'c'] as const;
const sources = ['team-a', 'team-b'] as const;

/** What one source has: actors with users and file systems, whose names are its own. */
const documents = fc.record({
  source: fc.constantFrom(...sources),
  actors: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...names),
      description: fc.constantFrom('', 'costs ${5}', '${{ x }}', 'two\n lines '),
      users: fc.uniqueArray(
        fc.record({ name: fc.constantFrom(...names), enabled: fc.boolean(), maxSessions: fc.constantFrom(1, 2) }),
        { selector: ({ name }) => name },
      ),
      systems: fc.uniqueArray(
        fc.record({ name: fc.constantFrom(...names), folders: fc.constantFrom([], ['/inbox']) }),
        {
          selector: ({ name }) => name,
        },
      ),
    }),
    { selector: ({ name }) => name },
  ),
});

type Document = typeof documents extends fc.Arbitrary<infer Value> ? Value : never;

function configurationOf({ source, actors }: Document): object {
  return {
    source,
    actors: actors.map(({ name, description, users, systems }) => ({
      name: `${source}-${name}`,
      type: 'Partner',
      description,
      users: users.map((user) => ({ ...user, name: `${source}-${name}-${user.name}` })),
      virtualFileSystems: systems.map((system) => ({ ...system, name: `${source}-${name}-${system.name}` })),
    })),
  };
}

const exported = async (): Promise<ReadonlyMap<string | null, object>> =>
  new Map((await exportSources(platform.db)).map(({ source, document }) => [source, document]));

describe('whatever sources apply', () => {
  it('the next plan is empty, no other source changes, and an export changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const before = await exported();
        await platform.apply(configurationOf(document));
        expect(await platform.plan(configurationOf(document))).toEqual([]);
        const after = await exported();
        for (const [source, former] of before) {
          if (source !== document.source) expect(after.get(source)).toEqual(former);
        }
        for (const each of after.values()) expect(await platform.plan(each)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('applied by many at the same time, each source has what it applied last, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(documents, { minLength: 2, maxLength: 6 }), async (several) => {
        await Promise.all(several.map((document) => platform.apply(configurationOf(document))));
        for (const source of sources) {
          const own = several.filter((document) => document.source === source);
          if (own.length === 0) continue;
          const plans = await Promise.all(own.map((document) => platform.plan(configurationOf(document))));
          expect(plans.filter((changes) => changes.length === 0).length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 10 },
    );
  });
});
