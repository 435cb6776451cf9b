import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

const step = (name: string, given: object, more: object = {}) => ({ name, uses: 'submit-job', with: given, ...more });
const toNote = { contract: 'chained', action: 'note', extIPID: '${{ variables.key }}' };

/** Every workflow is run by an action of the contract `chained` with its name. */
const workflows = {
  note: {
    inputs: { text: { type: 'text', default: 'nothing' }, copies: { type: 'integer', default: 1 } },
    steps: [{ name: 'note', uses: 'log', with: { message: '${{ inputs.text }} x ${{ inputs.copies }}' } }],
  },
  'submit-each': {
    inputs: { texts: { type: 'list', default: ['a', 'b', 'a'] } },
    steps: [
      step(
        'each',
        { contract: 'chained', action: 'note', variables: { text: '${{ item }}', copies: 2 } },
        { foreach: '${{ inputs.texts }}' },
      ),
      {
        name: 'sum',
        uses: 'log',
        with: { message: '${{ steps.each.items.map(i, i.outputs.jobId + 0).size() }} jobs' },
      },
    ],
  },
  'submit-once': { steps: [step('only', toNote)] },
  'submit-self': { steps: [step('again', { contract: '${{ job.contract }}', action: '${{ job.action }}' })] },
  'submit-any': {
    steps: [
      step('any', {
        contract: '${{ variables.contract }}',
        action: '${{ variables.action }}',
        variables: '${{ variables.given }}',
      }),
    ],
  },
};

beforeAll(async () => {
  const onDemand = { trigger: { type: 'OnDemand' }, vfs: 'acme-files' };
  const actions = Object.keys(workflows).map((name) => ({ name, workflow: name, ...onDemand }));
  const [acme, ...others] = testConfiguration.actors;
  await site.platform.apply({
    ...testConfiguration,
    workflowTemplates: [
      ...testConfiguration.workflowTemplates,
      ...Object.entries(workflows).map(([name, template]) => ({ name, ...template })),
    ],
    actors: [
      { ...acme, contracts: [...(acme?.contracts ?? []), { name: 'chained', type: 'Mediation', actions }] },
      ...others,
      {
        name: 'globex',
        type: 'Partner',
        virtualFileSystems: [{ name: 'globex-files' }],
        contracts: [
          {
            name: 'globex-notes',
            type: 'Mediation',
            actions: [{ ...onDemand, name: 'note', workflow: 'note', vfs: 'globex-files' }],
          },
        ],
      },
    ],
  });
});

async function submit(actionName: string, actionVariables: object = {}): Promise<ShownJob> {
  const response = await site.manager.submit({ contractName: 'chained', actionName, actionVariables });
  expect(response.status).toBe(201);
  return response.json() as ShownJob;
}

const messagesOf = (job: ShownJob): string[] | undefined => job.steps?.[0]?.log.map(({ message }) => message);

describe('the task submit-job', () => {
  it('submits one job for each item, in the dataflow of its job and with its variables, and audits the step', async () => {
    const parent = await site.manager.reaches((await submit('submit-each')).id, 'COMPLETED');
    expect(parent.steps?.[1]?.log[0]?.message).toBe('3 jobs');
    const ids = parent.steps?.[0]?.items?.map(({ outputs }) => Number(outputs['jobId'])) ?? [];
    expect(new Set(ids).size).toBe(3);
    const jobs = await Promise.all(ids.map((id) => site.manager.reaches(id, 'COMPLETED')));
    expect(jobs.map((job) => messagesOf(job)?.[0])).toEqual(['a x 2', 'b x 2', 'a x 2']);
    expect(jobs.map(({ submittedBy, dfic }) => [submittedBy, dfic])).toEqual(jobs.map(() => ['admin', parent.dfic]));
    const audited = await site.platform.database.query(
      `SELECT payload ->> 'auditMessage' AS message FROM outbox.events
       WHERE topic = 'audit-event' AND payload ->> 'entityType' = 'Job' AND payload ->> 'entityId' = $1 ORDER BY id`,
      [String(ids[0])],
    );
    expect(audited).toEqual([
      {
        message: `User admin has submitted job ${ids[0]} of chained/note by the trigger OnDemand in step 'each' of job ${parent.id}`,
      },
    ]);
  });

  it('shares the job of an extIPID with other jobs and with the requests of the user', async () => {
    const key = randomUUID();
    const parents = [await submit('submit-once', { key }), await submit('submit-once', { key })];
    const ended = await Promise.all(parents.map(({ id }) => site.manager.reaches(id, 'COMPLETED')));
    const [one, other] = ended.map(({ steps }) => steps?.[0]?.outputs['jobId']);
    expect(one).toBe(other);
    const repeated = await site.manager.submit({ contractName: 'chained', actionName: 'note', extIPID: key });
    expect([repeated.status, String((repeated.json() as ShownJob).id)]).toEqual([409, one]);
  });

  it('ends a chain of jobs with the 17th, in ERROR and with a message that says why', async () => {
    const { dfic } = await submit('submit-self');
    await expect
      .poll(() => site.manager.jobs({ contract: 'chained', status: 'ERROR' }).then(({ jobs }) => jobs.length), {
        timeout: 30_000,
      })
      .toBe(1);
    const [last] = (await site.manager.jobs({ contract: 'chained', status: 'ERROR' })).jobs;
    expect(last?.statusMessage).toContain('16 jobs in a row');
    const chain = await site.platform.database.query(
      `SELECT id, chain_depth FROM jobs.jobs WHERE dfic ->> 'dfiid' = $1 ORDER BY id`,
      [dfic['dfiid']],
    );
    expect(chain.map((row) => Number(row['chain_depth']))).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
    const before = await site.manager.reaches(Number(chain[15]?.['id']), 'COMPLETED');
    expect(messagesOf(before)).toEqual([
      expect.stringMatching(new RegExp(`^Submitted job ${last?.id} .*, which has failed: .*16 jobs in a row`, 'u')),
    ]);
  });

  const anything = { contract: 'chained', action: 'note', given: {} };

  it.each([
    ['a contract that does not exist', { contract: 'nowhere' }, 'contract: There is no enabled contract named nowhere'],
    ['an action that does not exist', { action: 'nothing' }, 'action: '],
    [
      'an action that files start',
      { contract: 'loops', action: 'lengthen' },
      'action: The action lengthen of contract loops is started by NewFile',
    ],
    [
      'a contract of another actor',
      { contract: 'globex-notes' },
      'contract: There is no enabled contract named globex-notes',
    ],
    [
      'a contract of another actor and an action that it does not have',
      { contract: 'globex-notes', action: 'nothing' },
      'contract: There is no enabled contract named globex-notes',
    ],
    ['a list of variables', { given: ['x'] }, 'variables: must be a map'],
    ['a text in place of variables', { given: 'x' }, 'variables: must be a map'],
    ['an input of a wrong type', { given: { copies: 'many' } }, 'variables.copies: must be an integer'],
    ['a NUL character', { given: { text: 'x\u0000' } }, 'NUL'],
    ['no name', { contract: '' }, 'contract: '],
    ['a huge name', { contract: 'x'.repeat(10_000) }, 'contract: '],
  ])('refuses %s with a message that says why, and submits nothing', async (_, wrong, message) => {
    const response = await site.manager.submit({
      contractName: 'chained',
      actionName: 'submit-any',
      actionVariables: { ...anything, ...wrong },
    });
    // Some are refused before there is a job.
    if (response.status === 400) return expect(response.text).toContain(message);
    const job = await site.manager.reaches((response.json() as ShownJob).id, 'ERROR');
    expect(job.statusMessage).toContain(message);
    const children = await site.platform.database.query(
      `SELECT FROM jobs.jobs WHERE dfic ->> 'dfiid' = $1 AND id <> $2`,
      [job.dfic['dfiid'], job.id],
    );
    expect(children).toEqual([]);
  });
});
