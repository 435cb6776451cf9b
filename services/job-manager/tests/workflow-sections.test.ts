import { describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { testConfiguration } from './test-configuration.ts';
import { freshJobManagers } from './test-managers.ts';

const site = freshJobManagers();

const write = (name: string, text: string, more: object = {}) => ({
  name,
  uses: 'write-file',
  with: { path: `/outbox/${name}.txt`, text },
  ...more,
});

/** Fails until there is the file `/outbox/<source>`. */
const compress = (name: string, source: string, more: object = {}) => ({
  name,
  uses: 'gzip',
  with: { source: `/outbox/${source}`, target: `/outbox/${name}.gz` },
  ...more,
});

/** Applies a workflow, and submits a job of it. */
async function submit(template: object, actionVariables: object = {}) {
  const action = { name: 'run', workflow: 'tested', trigger: { type: 'OnDemand' }, vfs: 'acme-files' };
  await site.platform.apply({
    ...testConfiguration,
    workflowTemplates: [...testConfiguration.workflowTemplates, { name: 'tested', ...template }],
    actors: testConfiguration.actors.map((actor) => ({
      ...actor,
      contracts: [...actor.contracts, { name: 'tested', type: 'Mediation', actions: [action] }],
    })),
  });
  return await site.manager.submit({ contractName: 'tested', actionName: 'run', actionVariables });
}

const idOf = (response: { json(): unknown }): number => (response.json() as ShownJob).id;
const statusesOf = ({ steps = [] }: ShownJob) => steps.map(({ name, status }) => `${name} ${status}`);
const textOf = async (path: string) => (await site.platform.read(path))?.toString();

describe('a workflow', () => {
  it('evaluates expressions with types, and skips steps by their conditions', async () => {
    const template = {
      inputs: { copies: { type: 'integer', default: '2' }, names: { type: 'list', default: ['a', 'b'] } },
      steps: [
        write(
          'one',
          "${{ inputs.copies * 2 }} ${{ inputs.names.map(n, n + '!').join(',') }} ${{ variables.absent_is_ok }}",
        ),
        write('two', '', { if: 'inputs.copies > 3' }),
        write('three', '${{ inputs.names }}', {
          if: "${{ steps.two.status == 'SKIPPED' && steps.one.outputs.size > 0 }}",
        }),
        write('four', '', { if: false }),
      ],
    };
    const job = await site.manager.reaches(
      idOf(await submit(template, { copies: '3', absent_is_ok: 'x' })),
      'COMPLETED',
    );
    expect(statusesOf(job)).toEqual(['one COMPLETED', 'two SKIPPED', 'three COMPLETED', 'four SKIPPED']);
    expect(job.statusMessage).toBe('All steps are done (4, 2 skipped)');
    expect(await textOf('/outbox/one.txt')).toBe('6 a!,b! x');
    expect(await textOf('/outbox/three.txt')).toBe('["a","b"]');
    expect(await textOf('/outbox/two.txt')).toBeUndefined();
    expect(job.steps?.[0]?.inputs['text']).toBe('6 a!,b! x');
  });

  it('refuses a submission without an input that it needs, or with one of a wrong type', async () => {
    const template = { inputs: { n: { type: 'integer' } }, steps: [write('one', '${{ inputs.n }}')] };
    const missing = await submit(template);
    expect(missing.status).toBe(400);
    expect(missing.json()).toMatchObject({ code: 'validation_failed', errors: [{ field: 'actionVariables.n' }] });
    expect((await submit(template, { n: 'many' })).status).toBe(400);
    expect((await submit(template, { n: '7' })).status).toBe(201);
  });

  it('goes on after a step that may fail', async () => {
    const template = {
      steps: [
        compress('may', 'absent', { continueOnError: true }),
        write('then', '${{ steps.may.status }}: ${{ steps.may.error }}'),
      ],
    };
    const job = await site.manager.reaches(idOf(await submit(template)), 'COMPLETED');
    expect(statusesOf(job)).toEqual(['may FAILED', 'then COMPLETED']);
    expect(job.statusMessage).toBe('All steps are done (2, 1 failed)');
    expect(await textOf('/outbox/then.txt')).toMatch(/^FAILED: Step 'may' failed: .*\/outbox\/absent/u);
  });

  it('completes if the last step is the one that may fail', async () => {
    const job = await site.manager.reaches(
      idOf(await submit({ steps: [compress('may', 'absent', { continueOnError: true })] })),
      'COMPLETED',
    );
    expect(statusesOf(job)).toEqual(['may FAILED']);
  });

  it('handles an error, cleans up, ends in ERROR, and runs both again for another failure after a resume', async () => {
    const template = {
      steps: [compress('first', 'a'), compress('second', 'b')],
      onError: [write('report', '${{ error.step }}'), compress('broken', 'absent'), write('unreached', '')],
      finally: [write('note', 'first ${{ steps.first.status }}, second ${{ steps.second.status }}')],
    };
    const id = idOf(await submit(template));
    const failed = await site.manager.reaches(id, 'ERROR');
    expect(statusesOf(failed)).toEqual(['first ERROR', 'report COMPLETED', 'broken ERROR', 'note COMPLETED']);
    expect(failed.statusMessage).toContain("Step 'first' failed");
    expect(await textOf('/outbox/report.txt')).toBe('first');
    expect(await textOf('/outbox/note.txt')).toBe('first FAILED, second WAITING');

    await site.platform.deliver('/outbox/a', Buffer.from('a'));
    await site.manager.client.post(`/job-manager/jobs/${id}/resume`, { bearer: site.manager.admin });
    const again = await site.manager.reaches(id, 'ERROR');
    expect(statusesOf(again)).toEqual([
      'first COMPLETED',
      'second ERROR',
      'report COMPLETED',
      'broken ERROR',
      'note COMPLETED',
    ]);
    expect(await textOf('/outbox/report.txt')).toBe('second');
    expect(await textOf('/outbox/note.txt')).toBe('first COMPLETED, second FAILED');

    await site.platform.deliver('/outbox/b', Buffer.from('b'));
    await site.manager.client.post(`/job-manager/jobs/${id}/resume`, { bearer: site.manager.admin });
    const done = await site.manager.reaches(id, 'COMPLETED');
    expect(statusesOf(done)).toEqual(['first COMPLETED', 'second COMPLETED', 'note COMPLETED']);
    expect(await textOf('/outbox/note.txt')).toBe('first COMPLETED, second COMPLETED');
  });

  it('ends in ERROR after a failure in its last section, and a resume goes on there', async () => {
    const template = { steps: [write('one', '1')], finally: [compress('pack', 'late'), write('note', '2')] };
    const id = idOf(await submit(template));
    expect(statusesOf(await site.manager.reaches(id, 'ERROR'))).toEqual(['one COMPLETED', 'pack ERROR']);
    await site.platform.deliver('/outbox/late', Buffer.from('x'));
    await site.manager.client.post(`/job-manager/jobs/${id}/resume`, { bearer: site.manager.admin });
    const done = await site.manager.reaches(id, 'COMPLETED');
    expect(done.steps?.map(({ name, attempts }) => [name, attempts])).toEqual([
      ['one', 1],
      ['pack', 2],
      ['note', 1],
    ]);
  });

  it('fails a step whose condition cannot be evaluated, and tries again what its retry names', async () => {
    const retry = { attempts: 3, delaySeconds: 0, backoff: 2, jitter: 0.5, on: ['file_not_found', 'path_not_found'] };
    const template = {
      steps: [
        write('unclear', '', { if: 'variables.absent > 1', continueOnError: true }),
        compress('tried', 'absent', { retry, continueOnError: true }),
        compress('not-tried', 'absent', { retry: { ...retry, on: ['storage_full'] } }),
      ],
    };
    const job = await site.manager.reaches(idOf(await submit(template)), 'ERROR');
    expect(job.steps?.map(({ name, status, attempts }) => [name, status, attempts])).toEqual([
      ['unclear', 'FAILED', 1],
      ['tried', 'FAILED', 3],
      ['not-tried', 'ERROR', 1],
    ]);
  });
});
