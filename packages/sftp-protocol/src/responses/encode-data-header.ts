import { packetType } from '../wire/packet-type.ts';

/** Bytes of a DATA packet before its payload: length prefix, type, id, payload length. */
export const dataHeaderBytes = 13;

/**
 * Writes the header of a DATA packet into `target` (a new buffer by default) at its start; the payload of
 * `payloadBytes` bytes follows on the wire. With the first 13 bytes of the read buffer as the target, the reply
 * needs no copy.
 */
export function encodeDataHeader(
  id: number,
  payloadBytes: number,
  target: Buffer = Buffer.allocUnsafe(dataHeaderBytes),
): Buffer {
  target.writeUInt32BE(9 + payloadBytes, 0);
  target.writeUInt8(packetType.data, 4);
  target.writeUInt32BE(id, 5);
  target.writeUInt32BE(payloadBytes, 9);
  return target;
}
