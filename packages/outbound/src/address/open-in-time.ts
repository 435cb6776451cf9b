import type { Socket } from 'node:net';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { DestinationGuard } from './destination-guard.ts';
import { type Destination, openSocket } from './open-socket.ts';

/** A destination with a time limit. */
export interface TimedDestination extends Destination {
  readonly name: string;
  readonly connectTimeoutSeconds: number;
}

/** Opens a TCP connection within the time of a client connection. @throws as `openSocket` does */
export async function openInTime(
  guard: DestinationGuard,
  connection: TimedDestination,
  signal: AbortSignal,
): Promise<Socket> {
  const timeout = AbortSignal.timeout(connection.connectTimeoutSeconds * 1_000);
  try {
    return await openSocket(guard, connection, AbortSignal.any([signal, timeout]));
  } catch (cause) {
    signal.throwIfAborted();
    if (!timeout.aborted) throw cause;
    const detail = `${connection.name}: no connection within ${connection.connectTimeoutSeconds} s`;
    throw new CodedError('connection_failed', { detail, cause });
  }
}
