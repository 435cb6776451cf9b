/** Bytes that the address and the headers of a request have at most, together. */
export const headerBytesAtMost = 32 * 1024;
