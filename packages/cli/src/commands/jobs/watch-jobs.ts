import { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import { followJobsEndpoint } from '@waybill/contracts/endpoints/jobs/follow-jobs';
import { jobStatusSchema } from '@waybill/contracts/values/job-status';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { followEvents } from '@waybill/platform-client/events/follow-events';
import { z } from 'zod';
import { type Command, CommandFailed, type Invocation } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { choiceOf, choiceOption, givenTexts, jobNumber, jsonOption, textOption } from '../../platform/option-values.ts';
import { printable } from '../../platform/render-table.ts';

const changeSchema = z.object({
  id: z.number(),
  from: z.string().nullable().optional(),
  status: z.string(),
  at: z.string(),
  contract: z.string().optional(),
  action: z.string().optional(),
});
const ends: ReadonlySet<string> = new Set(['COMPLETED', 'ABORTED']);
const stops: ReadonlySet<string> = new Set([...ends, 'ERROR']);

/** Prints the changes of jobs as they happen. */
export const watchJobsCommand: Command = {
  summary:
    'Prints each change of the status of jobs as it happens, until it is interrupted; of one job until it has stopped, with exit code 1 unless it is COMPLETED.',
  examples: ['waybill jobs watch 245', 'waybill jobs watch --status ERROR --json'],
  optionalArguments: { job: 'The number of the job; all jobs if it is left out.' },
  options: {
    ...platformOptions,
    status: choiceOption('status', jobStatusSchema.options, 'Only changes to this status.'),
    queue: textOption('name', 'Only jobs of this queue.'),
    contract: textOption('name', 'Only jobs of this contract.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    const { values, positionals } = invocation;
    await using client = await openPlatform(invocation, { side: 'manager' });
    const [job] = positionals;
    if (job !== undefined) {
      await watchJob(invocation, client, jobNumber(job));
      return;
    }
    const status = choiceOf(values, 'status', jobStatusSchema.options);
    const query = { ...givenTexts(values, ['queue', 'contract']), ...(status && { status }) };
    const signal = invocation.interruption?.();
    for await (const { event, data } of followEvents(client, followJobsEndpoint, { query }, { signal })) {
      if (event === 'change') print(invocation, data);
      if (event === 'reset') invocation.err('Some changes were missed: list the jobs.');
    }
    signal?.throwIfAborted();
  },
};

/** Prints the changes of one job until it has stopped. @throws CommandFailed unless it is completed */
export async function watchJob(invocation: Invocation, client: PlatformClient, id: number): Promise<void> {
  const signal = invocation.interruption?.();
  for await (const { event, data } of followEvents(client, followJobsEndpoint, {}, { signal })) {
    if (event === 'change') {
      if (changeSchema.parse(JSON.parse(data)).id !== id) continue;
      print(invocation, data);
    }
    // The state is read after the stream has begun, so that no change is missed between them.
    const { status, statusMessage } = (await client.call(findJobEndpoint, { params: { id }, query: {}, signal })).body;
    if (!stops.has(status)) continue;
    if (status !== 'COMPLETED') throw new CommandFailed(`job ${id} is ${status}: ${printable(statusMessage)}`);
    if (invocation.values['json'] !== true) invocation.out(`job ${id} is COMPLETED`);
    return;
  }
  signal?.throwIfAborted();
}

function print({ values, out }: Invocation, data: string): void {
  if (values['json'] === true) {
    out(data);
    return;
  }
  const { id, from, status, at, contract, action } = changeSchema.parse(JSON.parse(data));
  out(printable(`${at}  ${id}  ${from ?? '-'} -> ${status}  ${contract ?? ''}/${action ?? ''}`));
}
