import { waitFor } from '@waybill/test-kit/wait-for';
import { beginUpload } from '../operators/uploads/begin-upload.ts';
import type { LanguagesRig } from './open-languages.ts';

const ends = [{ name: 'last', uses: 'log', with: { message: 'The end.' } }];
const workflows = {
  ask: [{ name: 'four-eyes', uses: 'wait-for-approval', with: { message: 'Why?', approvers: 'role:Administrators' } }],
  hook: [{ name: 'send', uses: 'webhook', with: { connection: 'hooks', event: 'test', data: 'one' } }],
};

/** Answers of the platform, as the administrator. */
export async function callApi(
  { platform }: LanguagesRig,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  json?: object,
): Promise<unknown> {
  const bearer = await platform.adminToken();
  const client = platform.http();
  const answer =
    method === 'GET'
      ? await client.get(path, { bearer })
      : await (method === 'PUT' ? client.put : client.post)(path, { bearer, json: json ?? {} });
  return answer.json();
}

/** What pages show. */
export interface Prepared {
  readonly jobs: readonly number[];
  readonly delivery: number;
  readonly record: string;
  readonly dfiid: string;
}

const prepared = new WeakMap<LanguagesRig, Promise<Prepared>>();

/** Makes something of each kind that pages show; once for a platform. */
export function prepare(rig: LanguagesRig): Promise<Prepared> {
  const begun = prepared.get(rig) ?? make(rig);
  prepared.set(rig, begun);
  return begun;
}

async function make(rig: LanguagesRig): Promise<Prepared> {
  const administration = '/platform-application/api/v1';
  const actions = Object.keys(workflows).map((name) => ({
    name,
    trigger: { type: 'OnDemand' },
    workflow: `checks-${name}`,
  }));
  const expectation = {
    name: 'check',
    vfs: 'acme-files',
    virtualPath: '/inbox',
    filePattern: '*.due',
    cron: '* * * * *',
    windowMinutes: 1,
  };
  await callApi(rig, 'POST', `${administration}/client-connections`, {
    name: 'hooks',
    type: 'http',
    url: 'https://hooks.example.org/',
  });
  await callApi(rig, 'POST', `${administration}/groups`, { actor: 'acme', name: 'checks' });
  await callApi(rig, 'POST', `${administration}/roles`, { name: 'checks', permissions: ['jobs:read'] });
  for (const [name, steps] of Object.entries(workflows))
    await callApi(rig, 'POST', `${administration}/workflow-templates`, {
      name: `checks-${name}`,
      steps,
      finally: ends,
    });
  const contract = { actor: 'acme', name: 'checks', type: 'Mediation', actions, expectations: [expectation] };
  await callApi(rig, 'POST', `${administration}/contracts`, contract);
  const jobs: number[] = [];
  for (const actionName of ['ask', 'ask', 'ask', 'hook']) {
    const { id } = (await callApi(rig, 'POST', '/job-manager/jobs', { contractName: 'checks', actionName })) as {
      id: number;
    };
    jobs.push(id);
  }
  const report = {
    contractName: 'invoices',
    actionName: 'write-report',
    actionVariables: { name: 'check', text: 'x' },
  };
  const { id } = (await callApi(rig, 'POST', '/job-manager/jobs', report)) as { id: number };
  jobs.push(id);
  const delivery = await waitFor(
    async () => {
      const list = (await callApi(rig, 'GET', '/job-manager/webhook-deliveries')) as { deliveries: { id: number }[] };
      return list.deliveries[0]?.id;
    },
    { what: 'a delivery' },
  );
  const { id: record, dfiid } = await waitFor(
    async () => {
      const q = encodeURIComponent('{auditOperation="SERVER_UPLOAD_FILE"}');
      const records = (await callApi(rig, 'GET', `${administration}/audit/logs?page=0&limit=1&q=${q}`)) as {
        id: string;
        dfiid: string;
      }[];
      return records[0];
    },
    { what: 'the record of an upload' },
  );
  await beginUpload(rig.platform, 'acme', '/inbox/half.csv');
  await callApi(rig, 'PUT', `${administration}/users/globex/freeze`, { reason: 'Why?' });
  return { jobs, delivery, record, dfiid };
}
