import { setTimeout as sleep } from 'node:timers/promises';
import { listWebhookDeliveriesEndpoint } from '@waybill/contracts/endpoints/deliveries/list-webhook-deliveries';
import {
  findWebhookDeliveryEndpoint,
  replayWebhookDeliveryEndpoint,
} from '@waybill/contracts/endpoints/deliveries/webhook-delivery-endpoints';
import type { DeliveryDetailsView } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-view';
import { type Command, UsageError } from '../../command.ts';
import { platformOptions, requestPlatform } from '../request-platform.ts';

const text = { type: 'string' } as const;
const json = { type: 'boolean' } as const;

/** The number of deliveries that are listed. */
const listedAtMost = 1_000;

/** How long a worker is waited for, and how often the platform is asked. */
const patienceMs = 90_000;
const pollMs = 500;

/** Lists the deliveries of webhooks. */
export const listWebhooksCommand: Command = {
  summary: 'Lists the deliveries of webhooks, newest first.',
  usage: '[--connection <name>] [--job <job>] [--outcome delivered|failed] [--json]',
  positionals: [],
  options: { ...platformOptions, connection: text, job: text, outcome: text, json },
  run: async ({ values, env, out }) => {
    const query = new URLSearchParams({ maxItems: String(listedAtMost) });
    for (const name of ['connection', 'job', 'outcome']) {
      const value = values[name];
      if (typeof value === 'string') query.set(name, value);
    }
    const { method, path, responses } = listWebhookDeliveriesEndpoint;
    const { deliveries, next } = await requestPlatform(
      { values, env },
      { method, path: `${path}?${query.toString()}`, response: responses[200].body.schema },
    );
    for (const delivery of deliveries) out(values['json'] === true ? JSON.stringify(delivery) : describe(delivery));
    if (values['json'] === true) return;
    if (deliveries.length === 0) out('There are none.');
    else if (next !== undefined) out(`These are the newest ${listedAtMost}.`);
  },
};

/** Has a worker send a webhook again, and waits for the result. */
export const replayWebhookCommand: Command = {
  summary: 'Has a worker send a webhook again: the same body and `webhook-id`, signed with a new timestamp.',
  usage: '<delivery> [--json]',
  positionals: ['delivery'],
  options: { ...platformOptions, json },
  run: async ({ values, positionals: [number = ''], env, out }) => {
    if (!/^[1-9]\d{0,15}$/u.test(number)) throw new UsageError(`${number} is not the number of a delivery`);
    const { method, path, responses } = replayWebhookDeliveryEndpoint;
    const request = { method, path: path.replace(':id', number), response: responses[202].body.schema };
    const asked = await requestPlatform({ values, env }, request);
    const replay = await resultOf(asked, { values, env });
    out(values['json'] === true ? JSON.stringify(replay) : describe(replay));
    if (replay.outcome === 'pending') throw new UsageError(`no worker has carried out the replay ${replay.id} yet`);
    if (replay.outcome === 'failed') throw new UsageError(`the replay ${replay.id} has failed: ${replay.error}`);
  },
};

async function resultOf(
  asked: DeliveryDetailsView,
  platform: Parameters<typeof requestPlatform>[0],
): Promise<DeliveryDetailsView> {
  const { method, path, responses } = findWebhookDeliveryEndpoint;
  const request = { method, path: path.replace(':id', String(asked.id)), response: responses[200].body.schema };
  let found = asked;
  for (const end = performance.now() + patienceMs; found.outcome === 'pending' && performance.now() < end;) {
    await sleep(pollMs);
    found = await requestPlatform(platform, request);
  }
  return found;
}

/** What lists show of a delivery. */
type Shown = Omit<DeliveryDetailsView, 'body'>;

function describe({ id, begunAt, job, step, connection, outcome, status, error, replayOf }: Shown): string {
  const result = [outcome, ...(status === null ? [] : [String(status)]), ...(error === null ? [] : [error])].join(' ');
  const replay = replayOf === null ? [] : [`replay of ${replayOf}`];
  return [String(id), begunAt, `job ${job} ${step}`, connection, result, ...replay].join('  ');
}
