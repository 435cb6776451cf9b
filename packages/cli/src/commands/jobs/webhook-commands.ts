import { setTimeout as sleep } from 'node:timers/promises';
import { listWebhookDeliveriesEndpoint } from '@waybill/contracts/endpoints/deliveries/list-webhook-deliveries';
import {
  findWebhookDeliveryEndpoint,
  replayWebhookDeliveryEndpoint,
} from '@waybill/contracts/endpoints/deliveries/webhook-delivery-endpoints';
import { type DeliveryDetailsView, outcomeSchema } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-view';
import { type Command, CommandFailed } from '../../command.ts';
import { type PlatformChoice, platformOptions } from '../../platform/open-platform.ts';
import { choiceOf, choiceOption, givenTexts, jsonOption, textOption } from '../../platform/option-values.ts';
import { type Column, printRows } from '../../platform/print-rows.ts';
import { requestPlatform } from '../../platform/request-platform.ts';
import { manyWebhooksOptions, oneDeliveryOf, replayManyWebhooks } from './replay-many-webhooks.ts';

/** The number of deliveries that are listed. */
const listedAtMost = 1_000;

/** How long a worker is waited for, and how often the platform is asked. */
const patienceMs = 90_000;
const pollMs = 500;

/** Lists the deliveries of webhooks. */
export const listWebhooksCommand: Command = {
  summary: 'Lists the deliveries of webhooks, newest first.',
  examples: ['waybill webhook list --outcome failed', 'waybill webhook list --job 245 --json'],
  options: {
    ...platformOptions,
    connection: textOption('name', 'Only deliveries over this connection.'),
    job: textOption('job', 'Only deliveries of this job.'),
    outcome: choiceOption('outcome', outcomeSchema.options, 'Only deliveries with this outcome.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    const { values, out } = invocation;
    const outcome = choiceOf(values, 'outcome', outcomeSchema.options);
    const query = { ...givenTexts(values, ['connection', 'job']), outcome, maxItems: listedAtMost };
    const { deliveries, next } = await requestPlatform(invocation, listWebhookDeliveriesEndpoint, { query });
    printRows(invocation, deliveries, columns);
    if (values['json'] !== true && next !== undefined) out(`These are the newest ${listedAtMost}.`);
  },
};

/** Has a worker send a webhook again, or all that match filters, and waits for the results. */
export const replayWebhookCommand: Command = {
  summary:
    'Has a worker send a webhook again, or with `--all` each one with a delivery that matches filters: the same body and `webhook-id`, ' +
    'signed with a new timestamp.',
  examples: [
    'waybill webhook replay 17',
    'waybill webhook replay --all --outcome failed --connection acme-hooks --dry-run',
  ],
  optionalArguments: { delivery: 'The number of the delivery, unless --all is given.' },
  options: { ...platformOptions, ...manyWebhooksOptions, json: jsonOption },
  run: async (invocation) => {
    const { values, env } = invocation;
    const number = oneDeliveryOf(invocation);
    if (number === undefined) return await replayManyWebhooks(invocation);
    const asked = await requestPlatform({ values, env }, replayWebhookDeliveryEndpoint, { params: { id: number } });
    const replay = await resultOf(asked, { values, env });
    printRows(invocation, [replay], columns);
    if (replay.outcome === 'pending') throw new CommandFailed(`no worker has carried out the replay ${replay.id} yet`);
    if (replay.outcome === 'failed') throw new CommandFailed(`the replay ${replay.id} has failed: ${replay.error}`);
  },
};

async function resultOf(asked: DeliveryDetailsView, platform: PlatformChoice): Promise<DeliveryDetailsView> {
  let found = asked;
  for (const end = performance.now() + patienceMs; found.outcome === 'pending' && performance.now() < end;) {
    await sleep(pollMs);
    found = await requestPlatform(platform, findWebhookDeliveryEndpoint, { params: { id: asked.id } });
  }
  return found;
}

/** What lists show of a delivery. */
type Shown = Omit<DeliveryDetailsView, 'body' | 'replays'>;

const columns: readonly Column<Shown>[] = [
  ['DELIVERY', ({ id }) => String(id)],
  ['BEGUN', ({ begunAt }) => begunAt],
  ['JOB', ({ job }) => String(job)],
  ['STEP', ({ step }) => step],
  ['CONNECTION', ({ connection }) => connection],
  ['OUTCOME', ({ outcome }) => outcome],
  ['STATUS', ({ status }) => (status === null ? '' : String(status))],
  ['REPLAY OF', ({ replayOf }) => (replayOf === null ? '' : String(replayOf))],
  ['ERROR', ({ error }) => error ?? ''],
];
