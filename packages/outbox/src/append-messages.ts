import type { AuditEvent } from '@waybill/contracts/messages/audit-event';
import type { Queryable } from '@waybill/postgres/database';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import { announceAfterCommit } from './committed-topics.ts';
import { messageBindings, type AppendedMessage, type MessageBindings, type OutboxMessage } from './message-rows.ts';
import type { TakenNumbers } from './numbering/event-run.ts';
import { runOf } from './numbering/run-of.ts';
import { settle } from './numbering/settle.ts';

/** The result of a statement, and the messages that it appended: all of them or none, except file events. */
export interface Appending<R> {
  readonly result: R;
  readonly appended: readonly AppendedMessage[];
}

/**
 * Runs a statement that contains `appendMessagesSql`, with messages as its bindings. Audit events get their numbers here,
 * and the client that causes them if they name none.
 */
export async function appendMessages<R>(
  on: Queryable,
  messages: readonly OutboxMessage[],
  run: (bindings: MessageBindings) => Promise<Appending<R>>,
): Promise<R> {
  const taken: TakenNumbers[] = [];
  const numbered = messages.map((message): OutboxMessage => {
    if (message.topic !== 'audit-event') return message;
    const numbers = runOf(on, message.payload.nodeId).take(1);
    taken.push(numbers);
    const producer = { ...numbers.producer, number: numbers.first };
    return { topic: 'audit-event', payload: { ...withCurrentClient(message.payload), producer } };
  });
  try {
    const { result, appended } = await run(messageBindings(numbered));
    const isMade = appended.some(({ topic }) => topic === 'audit-event');
    for (const numbers of taken) settle(on, numbers, isMade ? 1 : 0);
    announceAfterCommit(on, appended);
    return result;
  } catch (error) {
    for (const numbers of taken) numbers.voided();
    throw error;
  }
}

/** The event with the client of the present request, unless it names its own. */
export function withCurrentClient<E extends Pick<AuditEvent, 'context'>>(event: E): E {
  if (event.context?.address !== undefined) return event;
  const context = { ...currentClient(), ...event.context };
  return Object.keys(context).length === 0 ? event : { ...event, context };
}
