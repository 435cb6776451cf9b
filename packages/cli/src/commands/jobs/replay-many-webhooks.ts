import { setTimeout as sleep } from 'node:timers/promises';
import { listWebhookDeliveriesEndpoint } from '@waybill/contracts/endpoints/deliveries/list-webhook-deliveries';
import { newestOfEachWebhook } from '@waybill/contracts/endpoints/deliveries/newest-of-each-webhook';
import {
  findWebhookDeliveryEndpoint,
  replayWebhookDeliveryEndpoint,
} from '@waybill/contracts/endpoints/deliveries/webhook-delivery-endpoints';
import { outcomeSchema } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-view';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { PlatformError } from '@waybill/platform-client/platform-error';
import type { EndpointResult } from '@waybill/platform-client/requests/endpoint-call';
import { CommandFailed, type Invocation, UsageError } from '../../command.ts';
import { openPlatform } from '../../platform/open-platform.ts';
import { choiceOf, choiceOption, flagOption, givenTexts, textOption } from '../../platform/option-values.ts';
import { printRows } from '../../platform/print-rows.ts';
import { readItems } from '../../platform/read-pages.ts';

/** Webhooks that are replayed before their results are waited for. */
const batchSize = 100;

/** How long the workers are waited for after the last result, and how often the platform is asked. */
const [patienceMs, pollMs] = [90_000, 500];

/** The options of the command that choose deliveries. */
export const manyWebhooksOptions = {
  all: flagOption('Replays each webhook with a delivery that matches all filters, instead of one delivery.'),
  'dry-run': flagOption('Shows what --all would replay, and replays nothing.'),
  connection: textOption('name', 'With --all: deliveries over this connection.'),
  job: textOption('job', 'With --all: deliveries of this job.'),
  outcome: choiceOption('outcome', outcomeSchema.options, 'With --all: deliveries with this outcome.'),
} as const;

type Delivery = EndpointResult<typeof listWebhookDeliveriesEndpoint>['body']['deliveries'][number];

/** What became of the replay of a delivery. */
interface Result {
  readonly delivery: number;
  readonly connection: string;
  readonly job: number;
  readonly webhookId: string;
  readonly result: 'would be replayed' | 'delivered' | 'failed' | 'pending' | 'refused';
  /** The number of the replay. */
  readonly replay?: number;
  readonly message?: string;
}

/** The number of the one delivery that a command names; `undefined` with `--all`. @throws UsageError for both, and for neither */
export function oneDeliveryOf({ positionals: [number], values }: Invocation): string | undefined {
  const way = 'give the number of a delivery, or --all with filters such as --outcome failed';
  if (values['all'] === true) {
    if (number !== undefined) throw new UsageError(way);
    return undefined;
  }
  const stray = Object.keys(manyWebhooksOptions).find((option) => values[option] !== undefined);
  if (stray !== undefined) throw new UsageError(`--${stray} belongs to --all, which replays each webhook that matches`);
  if (number === undefined) throw new UsageError(way);
  if (!/^[1-9]\d{0,15}$/u.test(number)) throw new UsageError(`${number} is not the number of a delivery`);
  return number;
}

/**
 * Replays each webhook with a delivery that matches the filters, once, and prints what became of each.
 * @throws UsageError without a filter; CommandFailed if one was not delivered
 */
export async function replayManyWebhooks(invocation: Invocation): Promise<void> {
  const { values, out } = invocation;
  const isTrial = values['dry-run'] === true;
  await using client = await openPlatform(invocation, { side: 'manager' });
  // All are read first: what is replayed would be found again.
  const webhooks = await readMatching(invocation, client);
  const results: Result[] = [];
  for (let from = 0; from < webhooks.length; from += batchSize) {
    const batch = webhooks.slice(from, from + batchSize);
    const done = isTrial ? batch.map((each) => resultOf(each, 'would be replayed')) : await replay(client, batch);
    printResults(invocation, done);
    results.push(...done);
  }
  const unsuccessful = results.filter(({ result }) => result !== 'delivered' && result !== 'would be replayed');
  if (unsuccessful.length > 0)
    throw new CommandFailed(`${unsuccessful.length} of ${results.length} webhooks were not delivered`);
  if (values['json'] === true) return;
  if (results.length === 0) out('No delivery matches.');
  else out(isTrial ? 'Nothing was replayed.' : 'All webhooks were delivered.');
}

async function readMatching({ values }: Invocation, client: PlatformClient): Promise<readonly Delivery[]> {
  const outcome = choiceOf(values, 'outcome', outcomeSchema.options);
  const filters = { ...givenTexts(values, ['connection', 'job']), ...(outcome && { outcome }) };
  if (Object.keys(filters).length === 0) {
    throw new UsageError('give a filter such as --outcome failed with --all: it would be every webhook');
  }
  const found = await readItems(async (page) => {
    const { deliveries, next } = (await client.call(listWebhookDeliveriesEndpoint, { query: { ...filters, ...page } }))
      .body;
    return { items: deliveries, next };
  });
  return newestOfEachWebhook(found);
}

/** Asks for the replay of each, and waits until the workers have carried them out. */
async function replay(client: PlatformClient, webhooks: readonly Delivery[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const delivery of webhooks) {
    try {
      const { id } = (await client.call(replayWebhookDeliveryEndpoint, { params: { id: delivery.id } })).body;
      results.push(resultOf(delivery, 'pending', { replay: id }));
    } catch (error) {
      // Others may be possible; without a platform none is.
      if (!(error instanceof PlatformError) || error.status === undefined) throw error;
      results.push(resultOf(delivery, 'refused', { message: error.message }));
    }
  }
  for (let changedAt = performance.now(); performance.now() - changedAt < patienceMs;) {
    const pending = [...results.entries()].filter(([, { result }]) => result === 'pending');
    if (pending.length === 0) break;
    await sleep(pollMs);
    for (const [at, { replay: id = 0, ...about }] of pending) {
      const { outcome, error } = (await client.call(findWebhookDeliveryEndpoint, { params: { id } })).body;
      if (outcome === 'pending') continue;
      results[at] = { ...about, result: outcome, replay: id, ...(error !== null && { message: error }) };
      changedAt = performance.now();
    }
  }
  return results;
}

function resultOf(
  { id, connection, job, webhookId }: Delivery,
  result: Result['result'],
  more: Pick<Result, 'replay' | 'message'> = {},
): Result {
  return { delivery: id, connection, job, webhookId, result, ...more };
}

function printResults(invocation: Invocation, results: readonly Result[]): void {
  printRows(invocation, results, [
    ['DELIVERY', ({ delivery }) => String(delivery)],
    ['CONNECTION', ({ connection }) => connection],
    ['JOB', ({ job }) => String(job)],
    ['RESULT', ({ result }) => result],
    ['REPLAY', ({ replay: id }) => (id === undefined ? '' : String(id))],
    ['MESSAGE', ({ message = '' }) => message.slice(0, 120)],
  ]);
}
