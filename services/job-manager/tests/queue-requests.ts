import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import type { ShownJob, TestJobManager } from './start-test-job-manager.ts';
import { testConfiguration } from './test-configuration.ts';
import type { OneJobManager } from './test-managers.ts';

/** What the tests of queues ask a job manager for. */
export interface QueueRequests {
  show(queue: string): Promise<HttpResponse>;
  act(queue: string, verb: string, query?: object, manager?: TestJobManager): Promise<HttpResponse>;
  pause(queue: string, reason?: string, manager?: TestJobManager): Promise<HttpResponse>;
  /** Submits a job of a contract. */
  submit(contractName: string, name: string): Promise<number>;
  abort(id: number): Promise<unknown>;
}

/** The address of a queue. */
export function queuePath(name: string, verb = ''): string {
  return `/job-manager/queues/${encodeURIComponent(name)}${verb}`;
}

/** Requests of an administrator. */
export function queueRequests(site: OneJobManager): QueueRequests {
  const act: QueueRequests['act'] = (name, verb, query = {}, manager = site.manager) =>
    manager.client.post(queuePath(name, `/${verb}`), { bearer: manager.admin, query: { ...query } });
  return {
    act,
    show: (name) => site.manager.client.get(queuePath(name), { bearer: site.manager.admin }),
    pause: (name, reason = 'maintenance', manager = site.manager) => act(name, 'pause', { reason }, manager),
    submit: async (contractName, name) => {
      const body = { contractName, actionName: 'write-report', actionVariables: { name } };
      return ((await site.manager.submit(body)).json() as ShownJob).id;
    },
    abort: (id) => site.manager.client.post(`/job-manager/jobs/${id}/abort`, { bearer: site.manager.admin }),
  };
}

/** The configuration of the tests with more queues. */
export function withQueues(...queues: object[]) {
  return { ...testConfiguration, queues: [...testConfiguration.queues, ...queues] };
}
