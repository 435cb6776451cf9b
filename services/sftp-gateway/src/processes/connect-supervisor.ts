import cluster from 'node:cluster';
import type { Supervisor } from '@waybill/service-kit/run-service';
import { orderSchema, type Order, type Question, type Report } from './process-messages.ts';

/** The connection from a process to its supervisor. */
export interface SupervisorLine extends Supervisor {
  /** Answers the supervisor's questions. */
  onQuestion(answer: (question: Question) => Promise<unknown>): void;
  /** Reports that partners are served from now on. */
  ready(sftpPort: number): Promise<void>;
  /** Disconnects, so that the process can end by itself. */
  leave(): void;
}

/**
 * Undefined in a process without a supervisor. When the supervisor dies, the connection breaks, and node:cluster ends
 * this process immediately: nothing that was acknowledged depends on how a process ends.
 */
export function connectSupervisor(processNumber: string | undefined): SupervisorLine | undefined {
  const { worker } = cluster;
  if (worker === undefined || processNumber === undefined) return undefined;
  const report = (message: Report): Promise<void> => {
    const sent = Promise.withResolvers<void>();
    // When the supervisor dies this process ends too: the message has no receiver.
    worker.send(message, () => sent.resolve());
    return sent.promise;
  };
  const onOrder = (follow: (order: Order) => void) =>
    worker.on('message', (message: unknown) => follow(orderSchema.parse(message)));

  return {
    processNumber: Number(processNumber),
    onStop: (stop) => void onOrder(({ kind }) => kind === 'stop' && stop()),
    startFailed: (reason) => report({ kind: 'failed', reason }),
    onQuestion: (answer) =>
      void onOrder((order) => {
        if (order.kind !== 'ask') return;
        const { id, question } = order;
        void answer(question).then((told) => report({ kind: 'answer', id, answer: told }));
      }),
    ready: (sftpPort) => report({ kind: 'ready', sftpPort }),
    leave: () => void worker.disconnect(),
  };
}
