import cluster from 'node:cluster';
import type { Supervisor } from '@waybill/service-kit/run-service';
import { orderSchema, type Order, type Question, type Report } from './process-messages.ts';

/** The line from a process to the one that supervises it. */
export interface SupervisorLine extends Supervisor {
  /** Answers what the supervisor asks. */
  onQuestion(answer: (question: Question) => Promise<unknown>): void;
  /** Tells that partners are served from now on. */
  ready(sftpPort: number): Promise<void>;
  /** Hangs up, so that the process can end by itself. */
  leave(): void;
}

/**
 * Undefined in a process that nobody supervises. When the supervisor dies, however it does, the line breaks, and node:cluster
 * ends this process at once: nothing that was acknowledged depends on how a process ends.
 */
export function connectSupervisor(processNumber: string | undefined): SupervisorLine | undefined {
  const { worker } = cluster;
  if (worker === undefined || processNumber === undefined) return undefined;
  const report = (message: Report): Promise<void> => {
    const sent = Promise.withResolvers<void>();
    // A supervisor that is gone takes this process with it: there is nobody to tell.
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
