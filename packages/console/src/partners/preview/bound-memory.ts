/** More than the largest picture that is drawn takes: 50 million pixels of four bytes, in a buffer that grows by doubling. */
const mostBytes = 256 * 1_024 * 1_024;

/** Refuses byte arrays that are larger than any honest one: a compressed stream of one megabyte may hold a gigabyte of zeros. */
globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, args: readonly unknown[], newTarget): object {
    const [length] = args;
    if (typeof length === 'number' && length > mostBytes) throw new RangeError('The array is too large');
    const made: unknown = Reflect.construct(target, args, newTarget);
    if (made instanceof target) return made;
    throw new TypeError('Not an array');
  },
});

// It inflates into any number of chunks. Without it, pdf.js inflates into one array.
Reflect.deleteProperty(globalThis, 'DecompressionStream');
