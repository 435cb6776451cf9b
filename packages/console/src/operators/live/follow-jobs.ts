import { followJobsEndpoint } from '@waybill/contracts/endpoints/jobs/follow-jobs';
import { jobStatusSchema } from '@waybill/contracts/values/job-status';
import { z } from 'zod';
import { withToken } from '../api/call-endpoint.ts';
import { failureOf, RequestFailure } from '../api/request-failure.ts';
import { fetchEndpoint } from '../api/send-endpoint.ts';
import { readEvents } from './read-events.ts';

const changeSchema = z.object({ id: z.int(), status: jobStatusSchema });

/** What happens while jobs are followed. */
export interface JobFollower {
  /** Changes are reported from now on; some may have been missed. */
  onReady(): void;
  /** A job has another status. */
  onChange(id: number): void;
  /** Changes are not reported, or not any more. */
  onEnd(): void;
}

const retryMs = { first: 1_000, most: 30_000 } as const;

/** Follows the changes of jobs, also after interruptions, until the signal. Without the permission it ends. */
export async function followJobs({ onReady, onChange, onEnd }: JobFollower, signal: AbortSignal): Promise<void> {
  let lastId: string | undefined;
  let delayMs: number = retryMs.first;
  while (!signal.aborted) {
    try {
      const response = await open(lastId, signal);
      for await (const { event, data, id } of readEvents(response)) {
        delayMs = retryMs.first;
        lastId = id ?? lastId;
        if (event === 'ready' || event === 'reset') onReady();
        const change = event === 'change' ? changeSchema.safeParse(JSON.parse(data)).data : undefined;
        if (change) onChange(change.id);
      }
    } catch (error) {
      if (error instanceof RequestFailure && error.status === 403) return onEnd();
    }
    onEnd();
    await pause(delayMs, signal);
    delayMs = Math.min(delayMs * 2, retryMs.most);
  }
}

function open(lastId: string | undefined, signal: AbortSignal): Promise<Response> {
  return withToken(async (token) => {
    const headers = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
    const response = await fetchEndpoint(followJobsEndpoint, { signal }, token, headers);
    if (!response.ok) throw failureOf(response.status, await response.text());
    return response;
  });
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
