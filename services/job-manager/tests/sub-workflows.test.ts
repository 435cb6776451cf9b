import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { applyWorkflow } from './submit-workflow.ts';
import { freshJobManagers } from './test-managers.ts';

const site = freshJobManagers();

let contracts = 0;

/** Puts `template` and the other workflows into force, and submits a job. */
async function submit(template: object, others: readonly object[], variables: object = {}): Promise<number> {
  contracts += 1;
  const contract = `outer-${contracts}`;
  await applyWorkflow(site.platform, template, { others, contract });
  const answer = await site.manager.submit({ contractName: contract, actionName: 'run', actionVariables: variables });
  if (answer.status !== 201) throw new Error(answer.text);
  return (answer.json() as ShownJob).id;
}

const textOf = async (path: string) => (await site.platform.read(path))?.toString();
const resume = (id: number) =>
  site.manager.client.post(`/job-manager/jobs/${id}/resume`, { bearer: site.manager.admin });
const stepsOf = ({ steps = [] }: ShownJob) =>
  steps.map(({ name, status, attempts }) => `${name} ${status} ${attempts}`);
const step = (job: ShownJob, name: string) => job.steps?.find((one) => one.name === name);
const write = (name: string, path: string, text: string) => ({ name, uses: 'write-file', with: { path, text } });
/** At which a job waits until it is approved. */
const approval = {
  name: 'ask',
  uses: 'wait-for-approval',
  with: { message: 'Go on?', approvers: ['role:Administrators'] },
};
const approve = (id: number) =>
  site.manager.client.post(`/job-manager/jobs/${id}/approve`, { bearer: site.manager.admin });
/** Ends the pause of a job. */
const wake = (id: number) =>
  site.platform.database.query('UPDATE jobs.active SET due_at = clock_timestamp() WHERE job_id = $1', [id]);
const isWaiting = async (id: number) =>
  (
    await site.platform.database.query('SELECT FROM jobs.active WHERE job_id = $1 AND fence IS NULL AND NOT ready', [
      id,
    ])
  ).length === 1;

/** Compresses `/outbox/<file>`, which fails until there is such a file. */
const pack = {
  name: 'pack',
  inputs: { file: {}, copies: { type: 'integer', default: 1 } },
  steps: [
    { ...write('note', '/outbox/${{ inputs.file }}.note', '${{ variables.copies + 1 }} of ${{ inputs.file }}') },
    {
      name: 'compress',
      uses: 'gzip',
      with: { source: '/outbox/${{ inputs.file }}', target: '/outbox/${{ inputs.file }}.gz' },
    },
  ],
  outputs: {
    path: { value: '${{ steps.compress.outputs.path }}' },
    size: { value: '${{ steps.note.outputs.size }}', type: 'integer' },
    names: { value: ['${{ inputs.file }}', 'x'] },
  },
};

describe('a step that runs another workflow', () => {
  it('gives it inputs, has its outputs with their types, and shows its steps under nested names', async () => {
    await site.platform.deliver('/outbox/a', Buffer.from('content'));
    const outer = {
      name: 'outer',
      inputs: { file: {} },
      steps: [{ name: 'inner', workflow: 'pack', with: { file: '${{ inputs.file }}' } }],
      outputs: {
        path: { value: '${{ steps.inner.outputs.path }}' },
        size: { value: '${{ steps.inner.outputs.size }}' },
        names: { value: '${{ steps.inner.outputs.names }}' },
      },
    };
    const id = await submit(
      {
        steps: [
          { name: 'first', workflow: 'outer', with: { file: '${{ variables.given }}' } },
          write('report', '/outbox/report', '${{ steps.first.outputs.path }} ${{ steps.first.outputs.size + 1 }}'),
        ],
        outputs: {
          where: { value: 'at ${{ steps.first.outputs.path }}' },
          count: { value: '${{ size(steps.first.outputs.names) }}' },
        },
      },
      [pack, outer],
      { given: 'a' },
    );
    const job = await site.manager.reaches(id, 'COMPLETED');
    expect(stepsOf(job)).toEqual([
      'first COMPLETED 1',
      'first/inner COMPLETED 1',
      'first/inner/note COMPLETED 1',
      'first/inner/compress COMPLETED 1',
      'report COMPLETED 1',
    ]);
    expect(step(job, 'first')).toMatchObject({
      task: 'workflow',
      inputs: { file: 'a' },
      outputs: { path: '/outbox/a.gz', size: '6' },
    });
    expect(await textOf('/outbox/a.note')).toBe('2 of a');
    expect(await textOf('/outbox/report')).toBe('/outbox/a.gz 7');
    expect(job).toMatchObject({
      outputs: { where: 'at /outbox/a.gz', count: '2' },
      statusMessage: 'All steps are done (2)',
    });
  });

  it('keeps the revision that the job was created with', async () => {
    const outer = { steps: [approval, { name: 'inner', workflow: 'say' }] };
    const say = (text: string) => ({ name: 'say', steps: [write('it', '/outbox/said', text)] });
    const id = await submit(outer, [say('old')]);
    await site.manager.reaches(id, 'SUSPENDED');
    await applyWorkflow(site.platform, outer, { others: [say('new')], contract: `outer-${contracts}` });
    const revisions = await site.platform.database.query(
      "SELECT revision FROM directory.workflow_templates WHERE name = 'tested'",
    );
    expect(revisions[0]?.['revision']).toBeGreaterThan(1);
    await approve(id);
    await site.manager.reaches(id, 'COMPLETED');
    expect(await textOf('/outbox/said')).toBe('old');
  });

  it('fails with its step, goes on there when it is tried again, and runs its handlers each time', async () => {
    const handled = {
      ...pack,
      onError: [write('sorry', '/outbox/sorry', '${{ error.step }}')],
      finally: [write('end', '/outbox/end', '${{ steps.compress.status }}')],
    };
    const retry = { attempts: 2, delaySeconds: 3_600 };
    const id = await submit({ steps: [{ name: 'inner', workflow: 'pack', with: { file: 'b' }, retry }] }, [handled]);
    await waitFor(() => isWaiting(id), { what: 'the pause before the second attempt' });
    expect(stepsOf(await site.manager.job(id))).toEqual([
      'inner WAITING 1',
      'inner/note COMPLETED 1',
      'inner/compress FAILED 1',
      'inner/sorry COMPLETED 1',
      'inner/end COMPLETED 1',
    ]);
    expect(await textOf('/outbox/sorry')).toBe('compress');
    await site.platform.deliver('/outbox/b', Buffer.from('b'));
    await wake(id);
    const job = await site.manager.reaches(id, 'COMPLETED');
    expect(stepsOf(job)).toEqual([
      'inner COMPLETED 2',
      'inner/note COMPLETED 1',
      'inner/compress COMPLETED 2',
      'inner/end COMPLETED 1',
    ]);
    expect(await textOf('/outbox/end')).toBe('COMPLETED');
  });

  it('that fails for good ends the job, which a resume continues at the step that failed; or the job goes on', async () => {
    const inner = { name: 'inner', workflow: 'pack', with: { file: 'c' } };
    const id = await submit({ steps: [inner] }, [pack]);
    const failed = await site.manager.reaches(id, 'ERROR');
    expect(failed.statusMessage).toMatch(/^Step 'inner\/compress' failed: .*\/outbox\/c$/u);
    await site.platform.deliver('/outbox/c', Buffer.from('c'));
    await resume(id);
    expect(stepsOf(await site.manager.reaches(id, 'COMPLETED'))).toEqual([
      'inner COMPLETED 2',
      'inner/note COMPLETED 1',
      'inner/compress COMPLETED 2',
    ]);
    const goesOn = [
      { ...inner, with: { file: 'd' }, continueOnError: true },
      { ...inner, name: 'never', if: "steps.inner.status == 'COMPLETED'" },
      write('then', '/outbox/then', '${{ steps.inner.status }} ${{ steps.never.status }}'),
    ];
    const other = await site.manager.reaches(await submit({ steps: goesOn }, [pack]), 'COMPLETED');
    expect(await textOf('/outbox/then')).toBe('FAILED SKIPPED');
    expect(stepsOf(other)).toEqual([
      'inner FAILED 1',
      'inner/note COMPLETED 1',
      'inner/compress FAILED 1',
      'never SKIPPED 0',
      'then COMPLETED 1',
    ]);
  });

  it('tries an inner step again without a new attempt of its own, and waits where that waits', async () => {
    const retrying = {
      ...pack,
      steps: [approval, pack.steps[0], { ...pack.steps[1], retry: { attempts: 2, delaySeconds: 3_600 } }],
    };
    const id = await submit({ steps: [{ name: 'inner', workflow: 'pack', with: { file: 'e' } }] }, [retrying]);
    const suspended = await site.manager.reaches(id, 'SUSPENDED');
    expect(stepsOf(suspended)).toEqual(['inner RUNNING 1', 'inner/ask WAITING 1']);
    await approve(id);
    await waitFor(
      async () => (await isWaiting(id)) && step(await site.manager.job(id), 'inner/compress')?.status === 'WAITING',
      { what: 'the pause' },
    );
    expect(step(await site.manager.job(id), 'inner')).toMatchObject({ status: 'RUNNING', attempts: 1 });
    await site.platform.deliver('/outbox/e', Buffer.from('e'));
    await wake(id);
    const job = await site.manager.reaches(id, 'COMPLETED');
    expect(step(job, 'inner')).toMatchObject({ attempts: 1 });
    expect(step(job, 'inner/compress')).toMatchObject({ attempts: 2 });
  });

  it('runs for each item of a list, some at the same time, each with attempts of its own', async () => {
    await site.platform.deliver('/outbox/f', Buffer.from('f'));
    const steps = [
      {
        name: 'all',
        workflow: 'pack',
        foreach: { in: ['f', 'g', 'h'], parallelism: 3, continueOnError: true },
        with: { file: '${{ item }}', copies: '${{ index }}' },
      },
      write('list', '/outbox/list', "${{ steps.all.items.map(i, i.outputs.path).join(' ') }}"),
    ];
    const id = await submit({ steps }, [pack]);
    const failed = await site.manager.reaches(id, 'ERROR');
    expect(failed.statusMessage).toMatch(/^Step 'all\[1\]\/compress' failed: .*\(2 of 3 items failed\)$/u);
    const statuses = (job: ShownJob, name: string) =>
      step(job, name)?.items?.map(({ index, status, attempts }) => `${index} ${status} ${attempts}`);
    expect(statuses(failed, 'all')).toEqual(['0 COMPLETED 1', '1 FAILED 1', '2 FAILED 1']);
    expect(statuses(failed, 'all/compress')).toEqual(['0 COMPLETED 1', '1 FAILED 1', '2 FAILED 1']);
    await site.platform.deliver('/outbox/g', Buffer.from('g'));
    await site.platform.deliver('/outbox/h', Buffer.from('h'));
    await resume(id);
    const job = await site.manager.reaches(id, 'COMPLETED');
    expect(statuses(job, 'all/note')).toEqual(['0 COMPLETED 1', '1 COMPLETED 1', '2 COMPLETED 1']);
    expect(statuses(job, 'all/compress')).toEqual(['0 COMPLETED 1', '1 COMPLETED 2', '2 COMPLETED 2']);
    expect(await textOf('/outbox/list')).toBe('/outbox/f.gz /outbox/g.gz /outbox/h.gz');
    expect(await textOf('/outbox/h.note')).toBe('3 of h');
  });
});
