import { dataHeaderBytes } from '@waybill/sftp-protocol/responses/encode-data-header';

/** Memory for what one READ or WRITE moves. */
export interface TransferBuffer {
  /** As long as it was asked for. */
  readonly bytes: Buffer;
  /** The same memory, with room for the header of a DATA packet in front of them. */
  readonly packet: Buffer;
  /** Present when it is used again: to be called once, when nobody looks at the bytes any more. Else it is collected. */
  readonly release?: () => void;
}

/** Where memory for READs and WRITEs comes from. */
export interface TransferBuffers {
  /** A buffer for exactly so many bytes, with anything in it. */
  take(length: number): TransferBuffer;
}

/** What clients read or write at a time: 32 KiB by custom, 255 KiB when they look at the limits that the server announces. */
const sizes = [32, 64, 128, 256].map((kibibytes) => kibibytes * 1024);
/** Of each size; as much as one transfer has under way. */
const keptBytes = 4 * 1024 * 1024;

/**
 * Buffers that are used again. New memory for each request comes back only when V8 collects garbage, which lets so much
 * of it gather that it marks the whole heap several times in a gibibyte.
 */
export function createTransferBuffers(): TransferBuffers {
  const kinds = sizes.map((size) => ({ size, free: [] as Buffer[] }));
  return {
    take: (length) => {
      // What would use less than half of a buffer gets one of its own: clients decide how many are under way.
      const kind = kinds.find(({ size }) => length <= size && length >= size / 2);
      if (kind === undefined) return bufferIn(Buffer.allocUnsafeSlow(dataHeaderBytes + length), length);
      const { size, free } = kind;
      const memory = free.pop() ?? Buffer.allocUnsafeSlow(dataHeaderBytes + size);
      return {
        ...bufferIn(memory, length),
        release: () => {
          if (free.length * size < keptBytes) free.push(memory);
        },
      };
    },
  };
}

function bufferIn(memory: Buffer, length: number): TransferBuffer {
  const packet = memory.subarray(0, dataHeaderBytes + length);
  return { bytes: packet.subarray(dataHeaderBytes), packet };
}
