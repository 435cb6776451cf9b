import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { applyWorkflow, submitWorkflow } from './submit-workflow.ts';
import { freshJobManagers } from './test-managers.ts';

const site = freshJobManagers();

const submit = (template: object, variables: object = {}) =>
  submitWorkflow(site.platform, site.manager, template, variables).then(({ id }) => id);
const textOf = async (path: string) => (await site.platform.read(path))?.toString();
const resume = (id: number) =>
  site.manager.client.post(`/job-manager/jobs/${id}/resume`, { bearer: site.manager.admin });
const itemsOf = ({ steps = [] }: ShownJob, name: string) =>
  steps.find((step) => step.name === name)?.items?.map(({ index, status }) => `${index} ${status}`);
const effectsOf = (id: number) =>
  site.platform.database.query('SELECT name FROM jobs.effects WHERE job_id = $1 AND position >= 0', [id]);

/** Compresses `/outbox/<item>`, which fails until there is such a file. */
const compress = (foreach: unknown, more: object = {}) => ({
  name: 'compress',
  uses: 'gzip',
  foreach,
  with: { source: '/outbox/${{ item }}', target: '/outbox/${{ item }}.gz' },
  ...more,
});

describe('a step with foreach', () => {
  it('runs once for each item, and later steps see what all of them have given, in order', async () => {
    const id = await submit(
      {
        inputs: { names: { type: 'list' } },
        steps: [
          {
            name: 'write',
            uses: 'write-file',
            foreach: { in: "inputs.names.filter(n, n != 'no')", parallelism: 3 },
            with: { path: '/outbox/${{ index }}-${{ item }}', text: '${{ item }}${{ index + 1 }}' },
          },
          {
            name: 'list',
            uses: 'write-file',
            with: {
              path: '/outbox/list',
              text: "${{ steps.write.items.map(i, i.outputs.path).join(',') }} ${{ steps.write.items[1].outputs.size + 1 }}",
            },
          },
          { name: 'none', uses: 'write-file', foreach: [], with: { path: '/outbox/none', text: '' } },
        ],
      },
      { names: ['a', 'no', 'b', 'c', 'd'] },
    );
    const job = await site.manager.reaches(id, 'COMPLETED');
    expect(await textOf('/outbox/1-b')).toBe('b2');
    expect(await textOf('/outbox/list')).toBe('/outbox/0-a,/outbox/1-b,/outbox/2-c,/outbox/3-d 3');
    expect(itemsOf(job, 'write')).toEqual(['0 COMPLETED', '1 COMPLETED', '2 COMPLETED', '3 COMPLETED']);
    const [write, list, none] = job.steps ?? [];
    expect(write).toMatchObject({ attempts: 1, itemCounts: { COMPLETED: 4 }, inputs: { foreach: '4 items' } });
    expect(write?.items?.[2]).toMatchObject({
      attempts: 1,
      inputs: { path: '/outbox/2-c', text: 'c3' },
      outputs: { path: '/outbox/2-c', size: '2' },
      begunAt: expect.any(String),
      endedAt: expect.any(String),
    });
    expect(list?.items).toBeUndefined();
    expect(none).toMatchObject({ status: 'COMPLETED', inputs: { foreach: '0 items' } });
    expect(job.statusMessage).toBe('All steps are done (3)');
  });

  it('stops at the first item that fails, and a resume goes on there', async () => {
    await site.platform.deliver('/outbox/a', Buffer.from('a'));
    const id = await submit({ steps: [compress(['a', 'b', 'c'])] });
    const failed = await site.manager.reaches(id, 'ERROR');
    expect(itemsOf(failed, 'compress')).toEqual(['0 COMPLETED', '1 FAILED']);
    expect(failed.statusMessage).toMatch(/^Step 'compress\[1\]' failed: .*\/outbox\/b \(1 of 3 items failed\)$/u);
    expect(failed.steps?.[0]?.items?.[1]?.error).toMatch(/^Step 'compress\[1\]' failed: /u);

    await site.platform.deliver('/outbox/b', Buffer.from('b'));
    await site.platform.deliver('/outbox/c', Buffer.from('c'));
    await resume(id);
    const job = await site.manager.reaches(id, 'COMPLETED');
    expect(job.steps?.[0]?.items?.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['COMPLETED', 1],
      ['COMPLETED', 2],
      ['COMPLETED', 1],
    ]);
  });

  it('goes on with the other items if that is wanted, and fails in the end', async () => {
    await site.platform.deliver('/outbox/b', Buffer.from('b'));
    const steps = [
      compress({ in: ['a', 'b', 'c'], continueOnError: true, parallelism: 2 }, { continueOnError: true }),
      {
        name: 'count',
        uses: 'write-file',
        with: {
          path: '/outbox/count',
          text: "${{ steps.compress.status }} ${{ steps.compress.items.filter(i, i.status == 'FAILED').map(i, string(i.index)).join(',') }}",
        },
      },
    ];
    const job = await site.manager.reaches(await submit({ steps }), 'COMPLETED');
    expect(itemsOf(job, 'compress')).toEqual(['0 FAILED', '1 COMPLETED', '2 FAILED']);
    expect(job.steps?.[0]).toMatchObject({ status: 'FAILED', itemCounts: { COMPLETED: 1, FAILED: 2 } });
    expect(job.steps?.[0]?.error).toMatch(/\(2 of 3 items failed\)$/u);
    expect(await textOf('/outbox/count')).toBe('FAILED 0,2');
  });

  it('tries the items that have failed again, after the others, and holds no worker meanwhile', async () => {
    await site.platform.deliver('/outbox/b', Buffer.from('b'));
    const id = await submit({ steps: [compress(['a', 'b'], { retry: { attempts: 2, delaySeconds: 3_600 } })] });
    await waitFor(
      async () =>
        (
          await site.platform.database.query(
            'SELECT FROM jobs.active WHERE job_id = $1 AND fence IS NULL AND NOT ready',
            [id],
          )
        ).length === 1,
      { what: 'the job to wait' },
    );
    expect(itemsOf(await site.manager.job(id), 'compress')).toEqual(['0 WAITING', '1 COMPLETED']);
    await site.platform.deliver('/outbox/a', Buffer.from('a'));
    await site.platform.database.query('UPDATE jobs.active SET due_at = clock_timestamp() WHERE job_id = $1', [id]);
    const job = await site.manager.reaches(id, 'COMPLETED');
    expect(job.steps?.[0]?.items?.map(({ attempts }) => attempts)).toEqual([2, 1]);
    expect(await effectsOf(id)).toHaveLength(2);
  });

  it('fails if its list is no list, or too long', async () => {
    const submitted = [
      await submit({ steps: [compress('variables.names', { retry: { attempts: 3 } })] }, { names: 'a' }),
      await submit({ steps: [compress('variables.names')] }, { names: Array.from({ length: 10_001 }, () => 'a') }),
    ];
    const [text, long] = await Promise.all(submitted.map((id) => site.manager.reaches(id, 'ERROR')));
    expect(text?.statusMessage).toContain('The value of foreach is not a list');
    expect(long?.statusMessage).toContain('The list of foreach has 10001 items; a step runs for 10000 at most');
  });

  it('is forgotten with its items when it ran for an earlier failure', async () => {
    const template = {
      steps: [
        { name: 'one', uses: 'gzip', with: { source: '/outbox/x', target: '/outbox/x.gz' } },
        { name: 'two', uses: 'gzip', with: { source: '/outbox/y', target: '/outbox/y.gz' } },
      ],
      finally: [
        {
          name: 'note',
          uses: 'write-file',
          foreach: ['p', 'q'],
          with: { path: '/outbox/${{ item }}', text: '${{ error.step }}' },
        },
      ],
    };
    const id = await submit(template);
    await site.manager.reaches(id, 'ERROR');
    expect(await textOf('/outbox/q')).toBe('one');
    await site.platform.deliver('/outbox/x', Buffer.from('x'));
    await resume(id);
    await waitFor(async () => (await textOf('/outbox/q')) === 'two', { what: 'the second failure to be noted' });
    const job = await site.manager.reaches(id, 'ERROR');
    expect(itemsOf(job, 'note')).toEqual(['0 COMPLETED', '1 COMPLETED']);
  });

  it('runs for the items of the newest revision, if a resume wants that', async () => {
    await site.platform.deliver('/outbox/a', Buffer.from('a'));
    const id = await submit({ steps: [compress(['a', 'b'])] });
    expect(itemsOf(await site.manager.reaches(id, 'ERROR'), 'compress')).toEqual(['0 COMPLETED', '1 FAILED']);
    await applyWorkflow(site.platform, { steps: [compress(['c', 'a'])] });
    await site.platform.deliver('/outbox/c', Buffer.from('c'));
    await site.manager.client.post(`/job-manager/jobs/${id}/resume`, {
      bearer: site.manager.admin,
      query: { revision: 'latest' },
    });
    const job = await site.manager.reaches(id, 'COMPLETED');
    expect(job.steps?.[0]?.items?.map(({ outputs }) => outputs['path'])).toEqual(['/outbox/c.gz', '/outbox/a.gz']);
  });

  it('shows a thousand items at a time', async () => {
    const names = Array.from({ length: 1_003 }, (_, index) => String(index));
    const id = await submit({ steps: [compress({ in: names, continueOnError: true, parallelism: 16 })] });
    const first = await site.manager.reaches(id, 'ERROR', 120_000);
    expect(first.steps?.[0]?.items).toHaveLength(1_000);
    expect(first.steps?.[0]?.itemCounts).toEqual({ FAILED: 1_003 });
    const rest = await site.manager.client.get(`/job-manager/jobs/${id}`, {
      bearer: site.manager.admin,
      query: { itemsFrom: 1_000 },
    });
    expect(itemsOf(rest.json() as ShownJob, 'compress')).toEqual(['1000 FAILED', '1001 FAILED', '1002 FAILED']);
    for (const itemsFrom of ['-1', 'x', '10001']) {
      const refused = await site.manager.client.get(`/job-manager/jobs/${id}`, {
        bearer: site.manager.admin,
        query: { itemsFrom },
      });
      expect(refused.status).toBe(400);
    }
  });
});
