import { readAuditCheckpointEndpoint } from '@waybill/contracts/endpoints/audit-logs/read-audit-checkpoint';
import { describeUploadProtocolEndpoint } from '@waybill/contracts/endpoints/files/resumable/describe-upload-protocol';
import { listQueuesEndpoint } from '@waybill/contracts/endpoints/queues/list-queues';
import { listServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-server-sessions';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { isPlatformError } from '@waybill/platform-client/platform-error';
import { type Command, CommandFailed } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { jsonOption } from '../../platform/option-values.ts';
import { renderTable } from '../../platform/render-table.ts';
import { type HealthRow, readHealthRows } from './health-rows.ts';

const timeoutMs = 10_000;

/** What a part of the platform says about itself, in words. */
const parts: Readonly<Record<string, (client: PlatformClient) => Promise<string>>> = {
  'job-manager': async ({ call }) => {
    const { queues } = (await call(listQueuesEndpoint)).body;
    const sum = (of: 'waiting' | 'suspended' | 'running') => queues.reduce((total, { jobs }) => total + jobs[of], 0);
    const paused = queues.filter(({ state }) => state === 'Paused').length;
    const jobs = `${sum('running')} running, ${sum('waiting')} waiting, ${sum('suspended')} suspended`;
    return `jobs: ${jobs}; queues: ${queues.length}, ${paused} paused`;
  },
  'sftp-gateway': async ({ call }) => {
    const { body } = await call(listServerSessionsEndpoint, { query: { maxItem: 1 } });
    return `open sessions: ${body.totalCount}`;
  },
  audit: async ({ call }) => {
    await call(readAuditCheckpointEndpoint);
    return 'the audit log has a signed checkpoint';
  },
  'http-files': async ({ call }) => {
    await call(describeUploadProtocolEndpoint);
    return 'the file interface answers';
  },
};

interface PartStatus extends Omit<HealthRow, 'state' | 'since'> {
  readonly state: HealthRow['state'] | 'elsewhere';
  readonly since?: string | null;
}

/** Shows whether the parts of the platform answer, and how the platform says that they do. */
export const statusCommand: Command = {
  summary:
    'Shows whether the parts of the platform answer, how busy they are, and how their processes, PostgreSQL, Redis, the storage, the audit log and its anchors do. Exit code 1 if one is down.',
  examples: ['waybill status', 'waybill status --context admin@127.0.0.1:9443 --json'],
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    await using client = await openPlatform(invocation, { side: 'manager', timeoutMs });
    const [asked, health] = await Promise.all([
      Promise.all(Object.keys(parts).map((part) => ask(client, part))),
      readHealthRows(client),
    ]);
    const statuses: readonly PartStatus[] = [...asked, ...health];
    if (invocation.values['json'] === true) invocation.out(JSON.stringify(statuses));
    else {
      const rows = statuses.map(({ part, state, milliseconds, since, detail }) => [
        part,
        state,
        milliseconds === null ? '' : `${milliseconds} ms`,
        state === 'up' ? '' : (since ?? ''),
        detail,
      ]);
      for (const line of renderTable(['PART', 'STATE', 'TIME', 'SINCE', 'DETAIL'], rows)) invocation.out(line);
    }
    const down = statuses.filter(({ state }) => state === 'down').map(({ part }) => part);
    if (down.length > 0) throw new CommandFailed(`down: ${down.join(', ')}`);
  },
};

async function ask(client: PlatformClient, part: string): Promise<PartStatus> {
  const begun = performance.now();
  const told = (state: PartStatus['state'], detail: string): PartStatus => ({
    part,
    state,
    milliseconds: Math.round(performance.now() - begun),
    detail,
  });
  try {
    return told('up', (await parts[part]?.(client)) ?? '');
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    // What concerns all parts is the failure of the command.
    if (error.status === 401 || error.code === 'certificate_not_trusted' || error.code === 'unreachable') throw error;
    if (error.code === 'not_permitted') return told('up', 'your role does not permit details');
    // Partners and administrators may have addresses of their own.
    if (error.code === 'route_not_found') return told('elsewhere', 'not served at this address');
    return told('down', error.message);
  }
}
