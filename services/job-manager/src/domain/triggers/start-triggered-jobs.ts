import type { FileEvent } from '@waybill/contracts/messages/file-event';
import { fileEventTriggers } from '@waybill/contracts/messages/file-event-triggers';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Action, TriggerType } from '@waybill/directory/access/action';
import type { Directory } from '@waybill/directory/directory';
import { bindInputs } from '@waybill/workflow/run/bind-inputs';
import { describeFile } from '@waybill/workflow/run/job-file';
import { chainDepthAtMost, endChain } from '../jobs/chain-limit.ts';
import { jobOfAction } from '../jobs/job-of-action.ts';
import type { JobRegister } from '../jobs/job-register.ts';
import type { Job } from '../jobs/job.ts';

/** The jobs that an event has started, and those that were created but must not run because the chain is too long. */
export interface TriggeredJobs {
  readonly started: readonly Job[];
  readonly stopped: readonly Job[];
}

/**
 * Creates a job for every action that waits for the event. One event starts one action once, however often it is
 * delivered. A job that exceeds the length of its chain is created, so that it is visible, and ends in ERROR at
 * once.
 */
export async function startTriggeredJobs(
  ports: { directory: Pick<Directory, 'findTriggeredActions'>; register: JobRegister },
  event: FileEvent & { readonly id: string },
): Promise<TriggeredJobs> {
  const { directory, register } = ports;
  const { vfsId, path } = event;
  const found = await Promise.all(
    triggersOf(event).map((trigger) => directory.findTriggeredActions({ vfsId, path, trigger })),
  );
  return startActions(register, event, found.flat());
}

/** Creates a job for each of the actions, all for the file of the event. `given` are variables besides those of the action. */
export async function startActions(
  register: JobRegister,
  event: FileEvent & { readonly id: string },
  actions: readonly Action[],
  given: Readonly<Record<string, string>> = {},
): Promise<TriggeredJobs> {
  const { vfsId, path, fileset, size, dfic } = event;
  const started: Job[] = [];
  const stopped: Job[] = [];
  if (actions.length === 0) return { started, stopped };

  // A file that a job wrote may be passed on by a transfer, which knows nothing of jobs.
  const chainDepth = 1 + Math.max(event.chainDepth, await register.chainDepthOf(fileset));
  for (const action of actions) {
    const job = await register.add({
      ...jobOfAction(action),
      vfsId,
      submittedBy: event.userName,
      variables: bindInputs(action.workflow.inputs, { ...action.variables, ...given }),
      file: describeFile(parseVirtualPath(path), fileset, size),
      dfic,
      chainDepth,
      eventId: event.id,
    });
    if (!job) continue;
    if (chainDepth <= chainDepthAtMost) started.push(job);
    else stopped.push(await endChain(register, job));
  }
  return { started, stopped };
}

function triggersOf({ kind, byTransfer }: FileEvent): readonly TriggerType[] {
  return fileEventTriggers[kind][byTransfer ? 'transfer' : 'job'];
}
