import pino from 'pino';

/**
 * The properties of an error that are logged besides its message and stack. Others may contain secrets: ioredis
 * attaches the refused command, with the password of AUTH; `new URL` attaches the invalid address.
 */
const loggedProperties: ReadonlySet<string> = new Set([
  'type',
  'message',
  'stack',
  'code',
  'errno',
  'syscall',
  'address',
  'port',
  'path',
  'fields',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
]);

/** An error as a value for the log, including its causes. */
export function serializeError(error: Error): object {
  const serialized = pino.stdSerializers.err(error);
  if (!(error instanceof Error)) return serialized;
  const kept = Object.entries(serialized).filter(([name]) => loggedProperties.has(name));
  const parts = error instanceof AggregateError ? error.errors.filter((part) => part instanceof Error) : [];
  return {
    ...Object.fromEntries(kept),
    ...(parts.length > 0 && { aggregateErrors: parts.map((part) => serializeError(part)) }),
  };
}
