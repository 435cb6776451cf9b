import type { Connection } from 'ssh2';
import { isObject, method, property } from './insides-of-ssh2.ts';

/**
 * Room for one SFTP response of usual size. Clients accept 32 KiB or more (RFC 4253, section 6.1), small ones 4 KiB.
 */
export const leastPacketBytes = 1024;

/** RFC 4254, section 5.1. */
const resourceShortage = 4;

/**
 * Refuses channels of any type whose packets may hold less than `leastPacketBytes`, before the channel exists:
 * responses would be split into packets of one byte, or of none, without end.
 */
export function guardChannelSizes(client: Connection, refused: (packetBytes: number) => void): void {
  const protocol = property(client, '_protocol');
  const handlers = property(protocol, '_handlers');
  const open = method(handlers, 'CHANNEL_OPEN');
  if (!isObject(handlers)) throw new TypeError('ssh2: a protocol has no handlers');
  Reflect.set(handlers, 'CHANNEL_OPEN', (...request: unknown[]) => {
    const [, offer] = request;
    const packetBytes = property(offer, 'packetSize');
    if (typeof packetBytes === 'number' && packetBytes >= leastPacketBytes) {
      Reflect.apply(open, handlers, request);
      return;
    }
    refused(Number(packetBytes));
    const why = `Packets of ${String(packetBytes)} bytes are too small: ${leastPacketBytes} at least`;
    Reflect.apply(method(protocol, 'channelOpenFail'), protocol, [property(offer, 'sender'), resourceShortage, why]);
  });
}
