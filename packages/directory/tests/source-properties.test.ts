import { exportSources } from '@waybill/directory/export-source';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { generatedObjects, listsOf } from './generated-objects.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await openTestPlatform();
  await platform.apply(demoPlatform());
});

afterAll(() => platform.close());

const names = ['a', 'b', 'c'] as const;
const sources = ['team-a', 'team-b'] as const;

/** A test of a workflow that writes nothing. */
const workflowTests = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...names),
    given: fc.record({
      size: fc.integer({ min: 0 }),
      variables: fc.dictionary(fc.constantFrom(...names), fc.constantFrom(null, 1.5, 'text', ['x'], { y: true })),
      steps: fc.constantFrom({}, { one: { outputs: { size: '1' } } }),
    }),
    expect: fc.constantFrom({}, { status: 'COMPLETED' }, { steps: { one: { status: 'COMPLETED' } } }),
  }),
  { selector: ({ name }) => name, maxLength: 3 },
);

/** What one source has: objects of every kind, workflows, and actors with users and file systems, whose names are its own. */
const documents = fc.record({
  source: fc.constantFrom(...sources),
  objects: generatedObjects,
  workflows: fc.uniqueArray(
    fc.record({ name: fc.constantFrom(...names), target: fc.constantFrom('b', 'c'), tests: workflowTests }),
    { selector: ({ name }) => name },
  ),
  actors: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...names),
      description: fc.constantFrom('', 'costs ${5}', '${{ x }}', 'two\n lines '),
      users: fc.uniqueArray(
        fc.record(
          {
            name: fc.constantFrom(...names),
            enabled: fc.boolean(),
            maxSessions: fc.constantFrom(1, 2),
            networks: fc.constantFrom(['10.0.0.0/8'], ['2001:DB8::/32', '192.0.2.1', '::ffff:10.0.0.0/104']),
            expires: fc.constantFrom('2999-12-31', '2024-02-29', '2027-03-01T10:30:00.5+01:00'),
          },
          { requiredKeys: ['name'] },
        ),
        { selector: ({ name }) => name },
      ),
      groups: fc.uniqueArray(
        fc.record(
          {
            name: fc.constantFrom(...names),
            enabled: fc.boolean(),
            maxSessions: fc.constantFrom(1, 2),
            networks: fc.constantFrom(['10.0.0.0/8'], ['192.0.2.1']),
            expires: fc.constantFrom('2999-12-31', '2024-02-29'),
          },
          { requiredKeys: ['name'] },
        ),
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

function configurationOf({ source, objects, workflows, actors }: Document): object {
  const lists = listsOf(source, objects);
  const ownWorkflows = workflows.map(({ name, target, tests }) => ({
    name: `${source}-${name}`,
    steps: [{ name: 'one', uses: 'gzip', with: { source: 'a', target } }],
    tests,
  }));
  return {
    ...lists,
    source,
    workflowTemplates: [...ownWorkflows, ...(lists['workflowTemplates'] ?? [])],
    actors: [
      ...(lists['actors'] ?? []),
      ...actors.map(({ name, description, users, groups, systems }) => ({
        name: `${source}-${name}`,
        type: 'Partner',
        description,
        users: users.map((user, index) => ({
          ...user,
          name: `${source}-${name}-${user.name}`,
          groups: groups.slice(index).map((group) => group.name),
        })),
        groups,
        virtualFileSystems: systems.map((system) => ({ ...system, name: `${source}-${name}-${system.name}` })),
      })),
    ],
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
