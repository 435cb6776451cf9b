import type { Topic } from '@waybill/contracts/messages/topics';

/** The queue that carries the wake-ups of a topic. */
export function queueNameOf(topic: Topic): string {
  return `outbox.${topic}`;
}
