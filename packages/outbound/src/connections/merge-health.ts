import type { ConnectionHealth } from './connection-health.ts';

/** How client connections do in several processes together, by name. */
export function mergeHealth(reported: readonly ConnectionHealth[]): ConnectionHealth[] {
  const merged = new Map<string, ConnectionHealth>();
  for (const one of reported) {
    const other = merged.get(one.name);
    merged.set(one.name, other ? together(one, other) : one);
  }
  return [...merged.values()];
}

function together(one: ConnectionHealth, other: ConnectionHealth): ConnectionHealth {
  const failures = [one.lastFailure, other.lastFailure].filter((failure) => failure !== undefined);
  return {
    name: one.name,
    inUse: one.inUse + other.inUse,
    idle: one.idle + other.idle,
    waiting: one.waiting + other.waiting,
    isOpen: one.isOpen || other.isOpen,
    nextAttemptAt: latest([one.nextAttemptAt, other.nextAttemptAt]),
    lastSuccessAt: latest([one.lastSuccessAt, other.lastSuccessAt]),
    lastFailure: failures.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0],
  };
}

function latest(times: readonly (Date | undefined)[]): Date | undefined {
  return times.filter((time) => time !== undefined).toSorted((a, b) => b.getTime() - a.getTime())[0];
}

/** What is left of a process that has ended: its last success and its last failure. Its sockets and its breakers ended with it. */
function withoutProcess({ name, lastSuccessAt, lastFailure }: ConnectionHealth): ConnectionHealth {
  const nothing = { inUse: 0, idle: 0, waiting: 0, isOpen: false, nextAttemptAt: undefined };
  return { name, ...nothing, lastSuccessAt, lastFailure };
}

/** What the processes that a worker starts report of their client connections. */
export interface OtherProcesses {
  /** Takes what a process reports; `undefined`: it has ended. */
  hear(process: string, health: readonly ConnectionHealth[] | undefined): void;
  /** Forgets how a connection did in processes that have ended. */
  forget(connection: string): void;
  health(): ConnectionHealth[];
}

/** Remembers what processes have reported last, and what was left of those that have ended. */
export function createOtherProcesses(): OtherProcesses {
  const running = new Map<string, readonly ConnectionHealth[]>();
  let ended: readonly ConnectionHealth[] = [];
  return {
    hear: (process, health) => {
      const last = running.get(process) ?? [];
      if (health) running.set(process, health);
      else if (running.delete(process)) ended = mergeHealth([...ended, ...last.map(withoutProcess)]);
    },
    forget: (connection) => {
      ended = ended.filter(({ name }) => name !== connection);
    },
    health: () => mergeHealth([...ended, ...[...running.values()].flat()]),
  };
}
