/**
 * Sizes this codec keeps to, those of OpenSSH's own server, so that every client that talks to it fits here too.
 * `packetBytes` counts what follows the length prefix; `dataBytes` is the payload of one READ or WRITE.
 */
export const protocolLimits = {
  packetBytes: 256 * 1024,
  dataBytes: 255 * 1024,
  handleBytes: 256,
} as const;
