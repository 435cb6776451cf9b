import type { Topic } from '@waybill/contracts/messages/topics';
import type { Queryable } from '@waybill/postgres/database';
import { isTransaction } from './numbering/settle.ts';

type Listener = (topics: ReadonlySet<Topic>) => void;

/** The listeners of this process: its relay (`outbox-relay`), if it has one. */
const listeners = new Set<Listener>();

/** Calls `listener` whenever this process has committed events, until it is disposed of. */
export function onCommitted(listener: Listener): Disposable {
  listeners.add(listener);
  return { [Symbol.dispose]: () => void listeners.delete(listener) };
}

/**
 * Notifies the listeners of this process that events of these messages can be delivered: immediately, if a statement
 * appended them in its own transaction, or when the transaction that they are part of commits.
 */
export function announceAfterCommit(on: Queryable, messages: readonly { readonly topic: Topic }[]): void {
  if (listeners.size === 0 || messages.length === 0) return;
  const topics = new Set(messages.map(({ topic }) => topic));
  if (isTransaction(on)) on.executionPromise.then(() => tell(topics)).catch(() => {});
  else tell(topics);
}

function tell(topics: ReadonlySet<Topic>): void {
  for (const listener of listeners) listener(topics);
}
