import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Directory } from '@waybill/directory/directory';
import type { JobQueue } from '@waybill/directory/job-queue';
import { nextClosing, nextOpening } from '@waybill/schedule/slots';
import type { QueueDepth, QueuePause, QueueStore } from './queue-store.ts';
import { whyClosed } from './why-closed.ts';

/** A queue, and what happens in it. */
export interface QueueState {
  readonly name: string;
  /** As configured; `undefined`: the queue was removed from the configuration. */
  readonly settings: JobQueue | undefined;
  readonly pause: QueuePause | undefined;
  /** Whether it starts jobs now. */
  readonly open: boolean;
  /** Of a Scheduled queue: when its slots open and close next. */
  readonly opensAt: Date | undefined;
  readonly closesAt: Date | undefined;
  readonly depth: QueueDepth;
}

/** Who changes a queue. */
export interface QueueChange {
  readonly userName: UserName;
  readonly reason?: string | undefined;
}

/** What people see of queues, and do to them. Those that name a queue throw `queue_unknown`. */
export interface Queues {
  list(): Promise<QueueState[]>;
  find(name: string): Promise<QueueState>;
  /** @throws CodedError `queue_already_paused` */
  pause(name: string, by: QueueChange & { readonly reason: string }): Promise<QueueState>;
  /** @throws CodedError `queue_not_paused` */
  resume(name: string, by: QueueChange): Promise<QueueState>;
}

/** What managing queues needs. */
export interface QueuePorts {
  readonly directory: Pick<Directory, 'listQueues'>;
  readonly store: QueueStore;
  /** Suspends the jobs of a queue that has been paused, or lets those go on of one that has been resumed. */
  onChange(queue: string): Promise<void>;
}

const empty: QueueDepth = { waiting: 0, suspended: 0, running: 0 };

/** What people see of queues, and do to them. */
export function createQueues({ directory, store, onChange }: QueuePorts): Queues {
  const stateOf = async (name: string): Promise<QueueState> => {
    const [queues, pauses, depths] = await Promise.all([directory.listQueues(), store.pauses(), store.depths(name)]);
    const settings = queues.find((queue) => queue.name === name);
    const pause = pauses.find(({ queue }) => queue === name);
    const depth = depths.get(name);
    if (!settings && !depth) throw unknownQueue(name, `There is no queue '${name}'`);
    return composeState({ name, settings, pause, depth: depth ?? empty });
  };
  /** Of a queue that was not deleted: a deleted one, which is shown while it has jobs, cannot be paused, and has no pause. */
  const idOf = async (name: string): Promise<string> => {
    const { settings } = await stateOf(name);
    if (settings) return settings.id;
    throw unknownQueue(name, `The queue '${name}' was deleted: its jobs wait until a queue of that name is created`);
  };
  return {
    list: async () => {
      const [queues, pauses, depths] = await Promise.all([directory.listQueues(), store.pauses(), store.depths()]);
      const settings = new Map(queues.map((queue) => [queue.name, queue]));
      const paused = new Map(pauses.map((pause) => [pause.queue, pause]));
      const names = [...new Set([...settings.keys(), ...paused.keys(), ...depths.keys()])].toSorted();
      return names.map((name) =>
        composeState({
          name,
          settings: settings.get(name),
          pause: paused.get(name),
          depth: depths.get(name) ?? empty,
        }),
      );
    },
    find: stateOf,
    pause: async (name, { userName: by, reason }) => {
      const queueId = await idOf(name);
      if (!(await store.pause({ queue: name, queueId, by, reason }))) {
        const { pause } = await stateOf(name);
        const detail = pause?.message ?? `The queue '${name}' is paused already`;
        throw new CodedError('queue_already_paused', { detail });
      }
      await onChange(name);
      return stateOf(name);
    },
    resume: async (name, { userName: by, reason }) => {
      const queueId = await idOf(name);
      if (!(await store.resume({ queue: name, queueId, by, reason }))) {
        throw new CodedError('queue_not_paused', { detail: `The queue '${name}' is not paused` });
      }
      await onChange(name);
      return stateOf(name);
    },
  };
}

function unknownQueue(queue: string, detail: string): CodedError {
  return new CodedError('queue_unknown', { detail, names: { queue } });
}

function composeState(parts: Pick<QueueState, 'name' | 'settings' | 'pause' | 'depth'>, now = new Date()): QueueState {
  const { settings, pause } = parts;
  const slots = settings?.status === 'Scheduled' ? settings.slots : undefined;
  const open = settings !== undefined && whyClosed(settings, now) === undefined;
  return {
    ...parts,
    open: open && pause === undefined,
    opensAt: slots && nextOpening(slots, now)?.at,
    closesAt: slots && nextClosing(slots, now)?.at,
  };
}
