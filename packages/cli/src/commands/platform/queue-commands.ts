import { listQueuesEndpoint } from '@waybill/contracts/endpoints/queues/list-queues';
import { pauseQueueEndpoint } from '@waybill/contracts/endpoints/queues/pause-queue';
import { resumeQueueEndpoint } from '@waybill/contracts/endpoints/queues/resume-queue';
import type { Command } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { givenTexts, jsonOption, neededOption, textOption } from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';

const options = { ...platformOptions, json: jsonOption };

/** Lists queues. */
export const listQueuesCommand: Command = {
  summary: 'Lists the queues with their state and their depth.',
  examples: ['waybill queues list'],
  options,
  run: async (invocation) => {
    await using client = await openPlatform(invocation, { side: 'manager' });
    printRows(invocation, (await client.call(listQueuesEndpoint)).body.queues, [
      ['QUEUE', ({ name }) => name],
      ['STATE', ({ state }) => state],
      ['OPEN', ({ open }) => (open ? 'yes' : 'no')],
      ['RUNNING', ({ jobs, parallelism }) => `${jobs.running} of ${parallelism ?? '-'}`],
      ['WAITING', ({ jobs }) => String(jobs.waiting)],
      ['SUSPENDED', ({ jobs }) => String(jobs.suspended)],
      ['PAUSED', ({ pause }) => (pause ? `by ${pause.by} since ${pause.since}: ${pause.reason}` : '')],
    ]);
  },
};

/** Pauses a queue. */
export const pauseQueueCommand: Command = {
  summary: 'Pauses a queue: it starts no job until it is resumed. Jobs that run continue.',
  examples: ["waybill queues pause 'Default Queue' --reason 'the partner moves its server'"],
  arguments: { queue: 'The name of the queue.' },
  options: { ...options, reason: neededOption('text', 'Why; it is recorded in the audit log.') },
  run: async (invocation) => {
    const [name = ''] = invocation.positionals;
    const { reason = '' } = givenTexts(invocation.values, ['reason']);
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { body } = await client.call(pauseQueueEndpoint, { params: { name }, query: { reason } });
    printOne(invocation, body, [`${body.name} is paused`]);
  },
};

/** Resumes a queue. */
export const resumeQueueCommand: Command = {
  summary: 'Resumes a queue that was paused.',
  examples: ["waybill queues resume 'Default Queue'"],
  arguments: { queue: 'The name of the queue.' },
  options: { ...options, reason: textOption('text', 'Why; it is recorded in the audit log.') },
  run: async (invocation) => {
    const [name = ''] = invocation.positionals;
    await using client = await openPlatform(invocation, { side: 'manager' });
    const query = givenTexts(invocation.values, ['reason']);
    const { body } = await client.call(resumeQueueEndpoint, { params: { name }, query });
    printOne(invocation, body, [`${body.name} is resumed: ${body.state}`]);
  },
};
