import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

/** What a second team adds: an actor of its own, and a user and a contract of acme. */
function added() {
  return {
    source: 'team-b',
    workflowTemplates: [
      { name: 'unpack', steps: [{ name: 'one', uses: 'gunzip', with: { source: 'a', target: 'b' } }] },
    ],
    actors: [
      { name: 'initech', type: 'Partner', users: [{ name: 'initech', password: 'demo' }] },
      {
        name: 'acme',
        users: [{ name: 'acme-3', password: 'demo', groups: ['clerks'] }],
        contracts: [
          {
            name: 'returns',
            type: 'Input',
            queue: 'Slow',
            actions: [
              {
                name: 'arrived',
                trigger: { type: 'NewFile', vfs: 'acme-files', virtualPath: '/inbox', filePattern: '*.gz' },
                workflow: 'pack',
              },
            ],
          },
        ],
      },
    ],
  };
}

const faultsOf = async (applied: Promise<unknown>): Promise<unknown> =>
  applied.then(
    () => 'applied',
    (error: unknown) => (error instanceof Error && 'fields' in error ? error.fields : error),
  );

describe('two configuration sources', () => {
  it('live side by side: each changes and removes only what it owns', async () => {
    await platform.apply(demoPlatform());
    expect(linesOf(await platform.apply(added()))).toEqual([
      'created Workflow Template unpack',
      'created Actor initech',
      'created External User initech',
      'created External User acme-3',
      'created Contract returns',
    ]);
    const before = await platform.snapshot();
    expect(await platform.apply(demoPlatform())).toEqual([]);
    expect(await platform.apply(added())).toEqual([]);
    expect(await platform.snapshot()).toEqual(before);

    expect(linesOf(await platform.apply({ ...added(), actors: [] }))).toEqual([
      'deleted Actor initech',
      'deleted External User initech',
      'deleted External User acme-3',
      'deleted Contract returns',
    ]);
    expect(linesOf(await platform.apply({ source: 'team-b' }))).toEqual(['deleted Workflow Template unpack']);
    expect(await platform.apply(demoPlatform())).toEqual([]);
  });

  it('may not have the same name: plan and apply name the owner and the place', async () => {
    await platform.apply(demoPlatform());
    const taken = {
      source: 'team-b',
      queues: [{ name: 'Slow' }],
      actors: [{ name: 'initech', type: 'Partner', virtualFileSystems: [{ name: 'acme-files' }] }],
    };
    const conflicts = [
      { field: 'queues[0].name', message: 'Job Queue Slow belongs to the source default' },
      { field: 'actors[0].virtualFileSystems[0].name', message: 'VFS acme-files belongs to the source default' },
    ];
    expect(await faultsOf(platform.plan(taken))).toEqual(conflicts);
    expect(await faultsOf(platform.apply(taken))).toEqual(conflicts);
    await platform.query("UPDATE directory.job_queues SET source = NULL WHERE name = 'Slow'");
    expect(await faultsOf(platform.apply({ source: 'team-b', queues: [{ name: 'Slow' }] }))).toEqual([
      {
        field: 'queues[0].name',
        message: expect.stringMatching(/^Job Queue Slow belongs to the API: .*`waybill adopt queues Slow --source /u),
      },
    ]);
  });

  it('may not remove what the other one uses: the error names what uses it', async () => {
    await platform.apply(demoPlatform());
    await platform.apply(added());
    const without = demoPlatform();
    without.queues = [];
    without.actors[0]!.contracts = [];
    expect(await faultsOf(platform.apply(without))).toEqual([
      {
        field: '',
        message:
          'Contract returns of the source team-b: there is no queue Slow; the file leaves out Job Queue Slow, which its source owns, and so removes it',
      },
    ]);
    without.actors.shift();
    expect(await faultsOf(platform.plan(without))).toContainEqual({
      field: '',
      message:
        'External User acme-3 of the source team-b: there is no actor acme: give a type, Partner or Application, to create it; the file leaves out Actor acme, which its source owns, and so removes it',
    });
  });

  it('may not add to an actor that no source has', async () => {
    await platform.apply(demoPlatform());
    expect(await faultsOf(platform.apply({ source: 'team-b', actors: [{ name: 'umbrella' }] }))).toEqual([
      {
        field: 'actors[0].type',
        message: 'there is no actor umbrella: give a type, Partner or Application, to create it',
      },
    ]);
  });

  it('never change what the API owns', async () => {
    await platform.apply(demoPlatform());
    await platform.query("UPDATE directory.partner_users SET source = NULL WHERE name = 'globex'");
    const without = demoPlatform();
    without.actors[1]!.users = [];
    expect(await platform.apply(without)).toEqual([]);
    expect(await platform.query("SELECT name FROM directory.partner_users WHERE name = 'globex'")).toHaveLength(1);
  });
});

describe('the default queue', () => {
  const defaultQueue = () =>
    platform.query(
      "SELECT source, parallelism, definition->>'parallelism' AS described FROM directory.job_queues WHERE name = 'Default Queue'",
    );

  it('belongs to the platform until a source describes it, and again when it no longer does', async () => {
    await platform.apply(demoPlatform());
    expect(await defaultQueue()).toEqual([{ source: '', parallelism: 8, described: '8' }]);
    const describing = { source: 'team-b', queues: [{ name: 'Default Queue', parallelism: 3 }] };
    expect(linesOf(await platform.apply(describing))).toEqual(['modified Job Queue Default Queue (parallelism)']);
    expect(await platform.apply(demoPlatform())).toEqual([]);
    expect(await defaultQueue()).toEqual([{ source: 'team-b', parallelism: 3, described: '3' }]);
    expect(linesOf(await platform.apply({ source: 'team-b' }))).toEqual([
      'modified Job Queue Default Queue (parallelism)',
    ]);
    expect(await defaultQueue()).toEqual([{ source: '', parallelism: 8, described: '8' }]);
  });
});

describe('a workflow that runs one of another source', () => {
  const called = (text: string) => ({
    name: 'note',
    steps: [{ name: 'one', uses: 'write-file', with: { path: '/outbox/a', text } }],
  });
  const calling = {
    source: 'team-b',
    workflowTemplates: [{ name: 'outer', steps: [{ name: 'inner', workflow: 'note' }] }],
  };
  const revisions = () =>
    platform.query(
      `SELECT t.name, t.source, t.revision FROM directory.workflow_templates t WHERE retired_at IS NULL ORDER BY 1`,
    );

  it('gets a new revision when that one changes, stays with its owner, and keeps that one from being removed', async () => {
    const withNote = (text: string) => ({
      ...demoPlatform(),
      workflowTemplates: [...demoPlatform().workflowTemplates, called(text)],
    });
    await platform.apply(withNote('first'));
    await platform.apply(calling);
    expect(await platform.apply(calling)).toEqual([]);
    expect(linesOf(await platform.apply(withNote('second')))).toEqual([
      'modified Workflow Template note (steps)',
      'modified Workflow Template outer (runs)',
    ]);
    expect(await revisions()).toEqual([
      { name: 'note', source: 'default', revision: 2 },
      { name: 'outer', source: 'team-b', revision: 2 },
      { name: 'pack', source: 'default', revision: 1 },
    ]);
    expect(await platform.apply(calling)).toEqual([]);
    expect(await faultsOf(platform.apply(demoPlatform()))).toEqual([
      {
        field: '',
        message: expect.stringContaining('Workflow Template outer of the source team-b: there is no workflow'),
      },
    ]);
  });
});
