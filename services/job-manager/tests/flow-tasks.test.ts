import { describe, expect, it } from 'vitest';
import { submitWorkflow } from './submit-workflow.ts';
import { freshJobManagers } from './test-managers.ts';

const site = freshJobManagers();

const submit = (template: object, variables: object = {}) =>
  submitWorkflow(site.platform, site.manager, template, variables).then(({ id }) => id);
const log = (name: string, message: string, level = 'info') => ({ name, uses: 'log', with: { message, level } });

describe('the task log', () => {
  it('writes a line that the job shows, without secrets, and cut', async () => {
    const long = 'x'.repeat(5_000);
    const steps = [
      log('say', 'all ${{ 1 + 1 }} with ${{ variables.password }}'),
      log('warn', '${{ variables.long }}', 'warning'),
    ];
    const job = await site.manager.reaches(await submit({ steps }, { password: 'hunter-2', long }), 'COMPLETED');
    expect(job.steps?.[0]?.log?.map(({ message }) => message)).toEqual(['all 2 with ******']);
    expect(job.steps?.[1]?.log?.[0]?.message).toMatch(/^warning: x+…$/u);
  });
});

describe('the task raise-error', () => {
  const raise = (more: object, given: object = {}) => ({
    name: 'refuse',
    uses: 'raise-error',
    with: { message: 'bad ${{ variables.what }}', ...given },
    ...more,
  });

  it('fails with its message and its code, which retry compares, and starts the handlers', async () => {
    const handlers = {
      onError: [log('sorry', '${{ error.step }}: ${{ error.message }}')],
      finally: [log('end', 'end')],
    };
    const retried = { retry: { attempts: 3, on: ['storage_full'] } };
    const codes = [
      ['storage_full', 3],
      ['job_step_failed', 1],
    ] as const;
    for (const [code, attempts] of codes) {
      const id = await submit({ steps: [raise(retried, { code })], ...handlers }, { what: 'luck' });
      const job = await site.manager.reaches(id, 'ERROR');
      expect(job.statusMessage).toBe("Step 'refuse' failed: bad luck");
      expect(job.steps?.map(({ name, status, attempts: tried }) => [name, status, tried])).toEqual([
        ['refuse', 'ERROR', attempts],
        ['sorry', 'COMPLETED', 1],
        ['end', 'COMPLETED', 1],
      ]);
      expect(job.steps?.[1]?.log?.[0]?.message).toBe("refuse: Step 'refuse' failed: bad luck");
    }
  });

  it('is not tried again with a code that a repetition cannot change, and the job may go on', async () => {
    const steps = [
      raise({ retry: { attempts: 3 }, continueOnError: true }, { code: 'validation_failed' }),
      log('then', '${{ steps.refuse.status }}'),
    ];
    const job = await site.manager.reaches(await submit({ steps }, { what: 'x' }), 'COMPLETED');
    expect(job.steps?.[0]).toMatchObject({ status: 'FAILED', attempts: 1 });
    expect(job.steps?.[1]?.log?.[0]?.message).toBe('FAILED');
  });
});
