import pino from 'pino';

/**
 * What of an error is logged beside its message and stack. Libraries attach the arguments of what failed, secrets included:
 * ioredis the command that was refused, with the password of AUTH; `new URL` the address that it could not read.
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

/** An error as a log line has it, with the errors that it is made of. */
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
