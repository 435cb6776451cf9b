import { waitFor } from '@waybill/test-kit/wait-for';
import { expect } from 'vitest';
import type { OperatorsRig } from '../open-operators.ts';

/** Whatever it sends, the log has a failed delivery: the connection has no signing key. */
const sends = (data: string) => [{ name: 'send', uses: 'webhook', with: { connection: 'hooks', event: 'test', data } }];
const asks = [
  {
    name: 'four-eyes',
    uses: 'wait-for-approval',
    with: { message: 'Send ${{ variables.what }}?', approvers: 'role:Operators' },
  },
  { name: 'note', uses: 'log', if: true, with: { message: 'It was decided.' } },
];
const ends = [{ name: 'last', uses: 'log', with: { message: 'The end.' } }];

/** Configures a contract whose jobs wait for approvals, and send webhooks that fail. */
export async function prepareWaits({ platform }: OperatorsRig): Promise<void> {
  const workflows = { ask: asks, hook: sends('one'), large: sends('x'.repeat(2_100)) };
  const names = Object.keys(workflows);
  const actions = names.map((name) => ({ name, trigger: { type: 'OnDemand' }, workflow: `checks-${name}` }));
  const objects: readonly (readonly [string, object])[] = [
    ['client-connections', { name: 'hooks', type: 'http', url: 'https://hooks.example.org/' }],
    ...Object.entries(workflows).map(
      ([name, steps]) => ['workflow-templates', { name: `checks-${name}`, steps, finally: ends }] as const,
    ),
    ['contracts', { actor: 'acme', name: 'checks', type: 'Mediation', actions }],
  ];
  const bearer = await platform.adminToken();
  for (const [collection, json] of objects) {
    const answer = await platform.http().post(`/platform-application/api/v1/${collection}`, { bearer, json });
    expect([collection, answer.status, answer.status < 300 || answer.json()]).toEqual([collection, 201, true]);
  }
}

/** Starts an action of it, and returns the number of the job. */
export async function start({ platform }: OperatorsRig, actionName: string, what = ''): Promise<number> {
  const json = { contractName: 'checks', actionName, actionVariables: { what } };
  const answer = await platform.http().post('/job-manager/jobs', { bearer: await platform.adminToken(), json });
  return (answer.json() as { id: number }).id;
}

/** The number of the delivery that a job has tried. */
export async function deliveryOf({ platform }: OperatorsRig, job: number): Promise<string> {
  const bearer = await platform.adminToken();
  return waitFor(
    async () => {
      const answer = await platform.http().get(`/job-manager/webhook-deliveries?job=${job}`, { bearer });
      return (answer.json() as { deliveries: { id: number }[] }).deliveries[0]?.id.toString();
    },
    { what: `the delivery of job ${job}` },
  );
}
