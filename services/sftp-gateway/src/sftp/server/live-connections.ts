import { setTimeout as delay } from 'node:timers/promises';
import type { SessionActivity } from '../../domain/sessions/session-activity.ts';
import type { SshConnection } from './ssh-connection.ts';

const tendEveryMs = 1_000;
const drainPollMs = 50;
const stopping = 'The server is stopping: connect again';

/** All connections of this process. Disposing of it stops their supervision. */
export class LiveConnections implements Disposable {
  readonly #connections = new Map<SshConnection, Promise<void>>();
  readonly #timer = setInterval(() => this.#tend(), tendEveryMs);

  /** @param ended settles when the cleanup after the connection is complete */
  add(connection: SshConnection, ended: Promise<void>): void {
    this.#connections.set(connection, ended);
    void ended.finally(() => this.#connections.delete(connection));
  }

  find(sessionId: string): SshConnection | undefined {
    return [...this.#connections.keys()].find(({ login }) => login?.session.sessionId === sessionId);
  }

  /** The changes since the last call. */
  takeActivities(): Map<string, SessionActivity> {
    const activities = new Map<string, SessionActivity>();
    for (const { login, activity } of this.#connections.keys()) {
      const taken = login === undefined ? undefined : activity.take();
      if (login !== undefined && taken !== undefined) activities.set(login.session.sessionId, taken);
    }
    return activities;
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Ends idle connections immediately, busy ones when they are done, and all of them when the time is up. */
  async drain(timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    const ending = new Set<SshConnection>();
    while (this.#connections.size > 0 && Date.now() < deadline) {
      for (const connection of this.#connections.keys()) {
        if (!connection.busy && !ending.has(connection)) {
          ending.add(connection);
          connection.end(stopping);
        }
      }
      await delay(drainPollMs);
    }
    for (const connection of this.#connections.keys()) connection.end(stopping);
    await Promise.all(this.#connections.values());
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tend(): void {
    const now = Date.now();
    for (const connection of this.#connections.keys()) connection.tend(now);
  }
}
