import { randomUUID } from 'node:crypto';
import type { RunningTransfer } from '@waybill/contracts/messages/running-transfer';
import type { UserName } from '@waybill/contracts/values/user-name';

/** The connection of a request, with what it has transferred since it was opened. */
export interface CountedConnection {
  readonly bytesRead: number;
  readonly bytesWritten: number;
  destroy(error?: Error): unknown;
}

/** A transfer that begins. */
export interface BegunTransfer {
  readonly userName: UserName;
  /** The login session that it belongs to. */
  readonly sessionHandle: string;
  readonly clientAddress: string;
  readonly direction: 'upload' | 'download';
  readonly connection: CountedConnection;
  /** What the connection had transferred before the request. */
  readonly bytesBefore: { readonly read: number; readonly written: number };
  readonly path: string | null;
}

/** A transfer that runs. */
export interface TransferHandle extends Disposable {
  /** The path becomes known later. */
  path: string | null;
}

/** The transfers of this process. */
export interface RunningTransfers {
  /** Costs an object and an entry of a set: what a transfer has moved is counted by its socket anyway. */
  begin(transfer: BegunTransfer): TransferHandle;
  /** Those that have run for `minAgeMs`, the oldest first, with the rate since the last call. */
  report(minAgeMs: number): RunningTransfer[];
  /** The login sessions whose transfers run, each once. */
  sessionsInUse(): readonly string[];
  /** Closes the connection of a transfer that was reported; undefined if it has ended. */
  end(id: string): RunningTransfer | undefined;
}

/** Keeps the transfers of this process. `now`: milliseconds of a clock that does not go back. */
export function createRunningTransfers(now: () => number = () => performance.now()): RunningTransfers {
  const running = new Set<Transfer>();
  return {
    begin: (begun) => {
      const transfer = new Transfer(begun, now(), () => void running.delete(transfer));
      running.add(transfer);
      return transfer;
    },
    report: (minAgeMs) => {
      const at = now();
      // A set is in the order of its additions.
      return [...running].filter(({ begunAt }) => at - begunAt >= minAgeMs).map((transfer) => transfer.take(at));
    },
    sessionsInUse: () => [...new Set([...running].map(({ sessionHandle }) => sessionHandle))],
    end: (id) => {
      const transfer = [...running].find((one) => one.id === id);
      if (!transfer) return undefined;
      const last = transfer.take(now());
      transfer.cut();
      return last;
    },
  };
}

class Transfer implements TransferHandle {
  path: string | null;
  readonly begunAt: number;
  readonly #begun: BegunTransfer;
  readonly #ended: () => void;
  readonly #since = Date.now();
  #id: string | undefined;
  #taken: { readonly at: number; readonly bytes: number };

  constructor(begun: BegunTransfer, begunAt: number, ended: () => void) {
    this.path = begun.path;
    this.begunAt = begunAt;
    this.#begun = begun;
    this.#taken = { at: begunAt, bytes: 0 };
    this.#ended = ended;
  }

  get sessionHandle(): string {
    return this.#begun.sessionHandle;
  }

  /** Undefined until it is reported: most transfers never are. */
  get id(): string | undefined {
    return this.#id;
  }

  take(at: number): RunningTransfer {
    const { userName, clientAddress, direction } = this.#begun;
    const bytes = countOf(this.#begun);
    const elapsedMs = Math.max(1, at - this.#taken.at);
    const bytesPerSecond = Math.round(((bytes - this.#taken.bytes) * 1_000) / elapsedMs);
    this.#taken = { at, bytes };
    this.#id ??= randomUUID();
    const { path } = this;
    return { id: this.#id, userName, clientAddress, path, direction, bytes, bytesPerSecond, since: this.#since };
  }

  cut(): void {
    this.#begun.connection.destroy(new Error('an administrator has ended this transfer'));
  }

  [Symbol.dispose](): void {
    this.#ended();
  }
}

function countOf({ direction, connection, bytesBefore }: BegunTransfer): number {
  if (direction === 'upload') return connection.bytesRead - bytesBefore.read;
  return connection.bytesWritten - bytesBefore.written;
}
