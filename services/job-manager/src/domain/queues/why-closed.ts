import type { JobQueue } from '@waybill/directory/job-queue';
import { isOpen, nextOpening } from '@waybill/schedule/slots';
import type { Wait } from './explain-wait.ts';

/** What the jobs wait for whose queue was removed. */
export const removedMessage = 'The queue is not there any more';

/** Why the configuration has a queue closed at an instant; `undefined` if it is open. */
export function whyClosed({ status, slots }: JobQueue, at: Date): Wait | undefined {
  if (status === 'Disabled') return { kind: 'queueDisabled', message: 'The queue is disabled' };
  if (status === 'Enabled' || isOpen(slots, at)) return undefined;
  const opening = nextOpening(slots, at);
  const message = `The queue is out of hours${opening ? `; it opens at ${opening.shown}` : ''}`;
  return { kind: 'queueClosed', message, until: opening?.at };
}
