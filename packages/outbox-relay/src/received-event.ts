import type { Topic, TopicPayload } from '@waybill/contracts/messages/topics';
import type { Transaction } from '@waybill/postgres/database';

/** An event as a consumer receives it. */
export interface ReceivedEvent<T extends Topic> {
  id: string;
  createdAt: Date;
  payload: TopicPayload<T>;
}

/** The effect of events, as part of the transaction that also removes them. */
export type EventHandler<T extends Topic> = (
  transaction: Transaction,
  events: readonly ReceivedEvent<T>[],
) => Promise<void>;
