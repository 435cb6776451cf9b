import { dataHeaderBytes } from '@waybill/sftp-protocol/responses/encode-data-header';

/** Memory for the bytes of one READ or WRITE. */
export interface TransferBuffer {
  /** As long as requested. */
  readonly bytes: Buffer;
  /** The same memory, with room for the header of a DATA packet in front of them. */
  readonly packet: Buffer;
  /**
   * Present if the memory is reused: call it once, when the bytes are no longer needed. Otherwise the memory is
   * garbage-collected.
   */
  readonly release?: () => void;
}

/** The source of memory for READs and WRITEs. */
export interface TransferBuffers {
  /** A buffer for exactly this many bytes, with undefined content. */
  take(length: number): TransferBuffer;
}

/**
 * What clients read or write at a time: 32 KiB by convention, 255 KiB if they use the limits that the server announces.
 */
const sizes = [32, 64, 128, 256].map((kibibytes) => kibibytes * 1024);
/** For each size; as much as one transfer has in flight. */
const keptBytes = 4 * 1024 * 1024;

/**
 * Buffers that are reused. New memory for each request is only released when V8 collects garbage, which lets so much of
 * it accumulate that it marks the whole heap several times in a gibibyte.
 */
export function createTransferBuffers(): TransferBuffers {
  const kinds = sizes.map((size) => ({ size, free: [] as Buffer[] }));
  return {
    take: (length) => {
      // A request that would use less than half of a buffer gets a new one: clients decide how many are in flight.
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
