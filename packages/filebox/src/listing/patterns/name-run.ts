import { matches, type BytePattern } from './byte-pattern.ts';
import { rarestByteOf, seekByte } from './seek-byte.ts';

/** The separator between two names, which no name contains. */
const separator = '/'.charCodeAt(0);

/** Names in the order of their bytes, which is that of code points. */
export interface NameRun {
  /** All names, with a separator between two. Whole words, the last of which may be padded with zeros. */
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  /** Where each name ends. */
  readonly ends: Uint32Array;
  /** How often each byte occurs. */
  readonly frequencies: Uint32Array;
}

/** The run of this many names, joined by `/`. */
export function nameRunOf(joined: string, names: number): NameRun {
  const length = Buffer.byteLength(joined);
  const words = new Uint32Array(Math.ceil(length / 4));
  const bytes = new Uint8Array(words.buffer);
  new TextEncoder().encodeInto(joined, bytes);
  const ends = new Uint32Array(names);
  const frequencies = new Uint32Array(256);
  let name = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] ?? 0;
    frequencies[byte] = (frequencies[byte] ?? 0) + 1;
    if (byte !== separator) continue;
    ends[name] = at;
    name += 1;
  }
  ends[name] = length;
  return { bytes, words, ends, frequencies };
}

/** The memory of a run. */
export function bytesOfRun({ words, ends, frequencies }: NameRun): number {
  return words.byteLength + ends.byteLength + frequencies.byteLength;
}

/** The number of names in a run that a pattern matches. Only names with the rarest byte of the pattern are compared. */
export function countInRun(run: NameRun, pattern: BytePattern): number {
  const { bytes, ends } = run;
  const { prefix, between, suffix } = pattern;
  const first = firstFrom(run, (start, end) => comparePrefix(bytes, start, end, prefix) >= 0);
  const behind = firstFrom(run, (start, end) => comparePrefix(bytes, start, end, prefix) > 0);
  if (between.length === 0 && suffix.length === 0) return behind - first;
  let meant = 0;
  if (between.length === 0) {
    for (let name = first; name < behind; name += 1) {
      if (matches(bytes, startOf(ends, name), ends[name] ?? 0, pattern)) meant += 1;
    }
    return meant;
  }
  const byte = rarestByteOf([...between, suffix], run.frequencies);
  const stop = startOf(ends, behind);
  let name = first;
  for (let at = seekByte(run, byte, startOf(ends, first), stop); at !== -1;) {
    while ((ends[name] ?? stop) < at) name += 1;
    const end = ends[name] ?? stop;
    if (matches(bytes, startOf(ends, name), end, pattern)) meant += 1;
    at = seekByte(run, byte, end + 1, stop);
  }
  return meant;
}

/** Whether a run contains a name. */
export function isInRun(run: NameRun, name: Uint8Array): boolean {
  const { bytes, ends } = run;
  const place = firstFrom(run, (start, end) => comparePrefix(bytes, start, end, name) >= 0);
  // A name sorts before all names that begin with it.
  return place < ends.length && Buffer.compare(bytes.subarray(startOf(ends, place), ends[place]), name) === 0;
}

function startOf(ends: Uint32Array, name: number): number {
  return name === 0 ? 0 : (ends[name - 1] ?? 0) + 1;
}

/** The first name for which a condition holds that holds for all later ones too. */
function firstFrom({ ends }: NameRun, isTrue: (start: number, end: number) => boolean): number {
  let [from, to] = [0, ends.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (isTrue(startOf(ends, middle), ends[middle] ?? 0)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Below 0 for a name before all names with the prefix, 0 for one of them, above 0 for one after them. */
function comparePrefix(bytes: Uint8Array, start: number, end: number, prefix: Uint8Array): number {
  for (let at = 0; at < prefix.length; at += 1) {
    if (start + at >= end) return -1;
    const difference = (bytes[start + at] ?? 0) - (prefix[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
