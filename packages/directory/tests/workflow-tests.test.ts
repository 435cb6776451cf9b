import { exportSources } from '@waybill/directory/export-source';
import { listRevisions, readRevision } from '@waybill/directory/queries/list-revisions';
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

const bare = (text: string) => ({
  name: 'note',
  steps: [{ name: 'one', uses: 'write-file', with: { path: '/outbox/a', text } }],
});

const noteOf = (text: string, secret = 'none') => ({
  ...bare(text),
  tests: [
    {
      name: 'writes',
      given: { variables: { password: secret } },
      expect: { steps: { one: { with: { text } } } },
    },
  ],
});

const withNote = (note: object) => ({
  ...demoPlatform(),
  workflowTemplates: [...demoPlatform().workflowTemplates, note],
});

/** A workflow of another team that runs `note`, with a test of what that writes. */
const calling = {
  source: 'team-b',
  workflowTemplates: [
    {
      name: 'outer',
      steps: [{ name: 'inner', workflow: 'note' }],
      tests: [{ name: 'first', given: {}, expect: { steps: { 'inner/one': { with: { text: 'first' } } } } }],
    },
  ],
};

const revisionOf = async (name: string) => {
  const rows = await platform.query('SELECT name, revision FROM directory.workflow_templates WHERE retired_at IS NULL');
  return rows.find((row) => row['name'] === name)?.['revision'];
};

describe('tests of a workflow', () => {
  it('are stored and exported; a change of them alone is audited without secrets, and makes no revision', async () => {
    await platform.apply(withNote(noteOf('first')));
    const [exported] = await exportSources(platform.db, 'default');
    const { tests } = noteOf('first');
    expect(exported?.document['workflowTemplates']).toMatchObject([{ name: 'pack' }, { name: 'note', tests }]);
    expect(await platform.plan(exported?.document ?? {})).toEqual([]);

    await platform.takeAuditEvents();
    const modified = ['modified Workflow Template note (tests)'];
    expect(linesOf(await platform.apply(withNote(noteOf('first', 'a secret word'))))).toEqual(modified);
    expect(linesOf(await platform.apply(withNote(bare('first'))))).toEqual(modified);
    expect(await revisionOf('note')).toBe(1);
    const events = (await platform.takeAuditEvents()).map(({ context }) => JSON.stringify(context));
    expect(events).toHaveLength(2);
    expect(events.filter((event) => event.includes('tests'))).toHaveLength(2);
    expect(events.filter((event) => event.includes('a secret word'))).toEqual([]);

    await platform.apply(withNote(noteOf('second')));
    expect(await revisionOf('note')).toBe(2);
  });

  it('of another source are run when a workflow changes that it runs', async () => {
    await platform.apply(withNote(noteOf('first')));
    await platform.apply(calling);
    const refused = platform.apply(withNote(noteOf('second')));
    await expect(refused).rejects.toMatchObject({
      code: 'configuration_invalid',
      fields: [
        { field: '', message: expect.stringContaining('outer of the source team-b: the parameter has another') },
      ],
    });
    expect(await revisionOf('outer')).toBe(1);
  });

  it('that fail although nothing of theirs has changed concern no other change', async () => {
    await platform.apply(withNote(noteOf('first')));
    await platform.apply(calling);
    await platform.query(
      `UPDATE directory.workflow_templates SET definition = jsonb_set(definition, '{tests,0,expect,status}', '"ERROR"')
        WHERE name = 'outer'`,
    );
    const another = { source: 'team-c', queues: [{ name: 'Quick' }] };
    expect(linesOf(await platform.apply(another))).toEqual(['created Job Queue Quick']);
    await expect(platform.apply(calling).then(linesOf)).resolves.toEqual(['modified Workflow Template outer (tests)']);
  });
});

describe('revisions of a workflow', () => {
  const whole = {
    ...noteOf('first'),
    description: 'notes',
    inputs: { size: { type: 'integer', default: 1, description: '' } },
    steps: [{ name: 'pack', workflow: 'pack' }, ...bare('first').steps],
    onError: [{ name: 'sorry', uses: 'log', with: { message: '${{ error.message }}' } }],
    finally: [{ name: 'end', uses: 'log', with: { message: '${{ inputs.size }}' } }],
    outputs: { size: { value: '${{ inputs.size }}', description: '' } },
    tests: [],
  };
  const numbersOf = async (page: { before?: number; limit: number }, name = 'note') =>
    (await listRevisions(platform.db, name, page)).map(({ revision, current }) => [revision, current]);

  it('are listed from the newest, and tell who has applied them', async () => {
    for (const text of ['first', 'second', 'third']) await platform.apply(withNote(noteOf(text)));
    expect(await numbersOf({ limit: 2 })).toEqual([
      [3, true],
      [2, false],
    ]);
    expect(await numbersOf({ before: 2, limit: 2 })).toEqual([[1, false]]);
    expect(await numbersOf({ before: 1, limit: 2 })).toEqual([]);
    const [newest] = await listRevisions(platform.db, 'note', { limit: 1 });
    expect(newest).toMatchObject({ appliedBy: 'operator', appliedAt: expect.any(Date) });
  });

  it('have the template as it was, without its tests and the steps of the workflows that it runs', async () => {
    await platform.apply(withNote(whole));
    await platform.apply(withNote(noteOf('second')));
    const { document, ...about } = await readRevision(platform.db, 'note', 1);
    expect(about).toMatchObject({ name: 'note', revision: 1, current: false, appliedBy: 'operator' });
    await platform.apply(withNote({ ...document, tests: [] }));
    const again = await readRevision(platform.db, 'note', 3);
    expect(again).toMatchObject({ current: true, document });
    const { steps, onError, finally: last, inputs, outputs, description } = again.document;
    const names = [steps, onError, last].map((section) => section?.map(({ name }) => name));
    expect(names).toEqual([['pack', 'one'], ['sorry'], ['end']]);
    expect({ inputs, outputs, description }).toEqual({
      inputs: whole.inputs,
      outputs: whole.outputs,
      description: 'notes',
    });
    expect(await platform.plan(withNote({ ...whole, tests: undefined }))).toMatchObject([{ fields: ['tests'] }]);
  });

  it('do not exist without the template', async () => {
    await platform.apply(withNote(noteOf('first')));
    await platform.apply(demoPlatform());
    const unknown = { code: 'entity_unknown' };
    for (const name of ['note', 'other', 'a\0b']) {
      await expect(listRevisions(platform.db, name, { limit: 1 })).rejects.toMatchObject(unknown);
      await expect(readRevision(platform.db, name, 1)).rejects.toMatchObject(unknown);
    }
    await expect(readRevision(platform.db, 'pack', 2)).rejects.toMatchObject(unknown);
  });
});
