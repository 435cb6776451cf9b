import { attributeFlag, type FileAttributes } from './file-attributes.ts';
import type { WireReader } from './wire-reader.ts';

/** Reads an ATTRS structure. Flags that version 3 does not define have no known field and are ignored. */
export function readAttributes(reader: WireReader): FileAttributes {
  const flags = reader.readUint32();
  const has = (flag: number) => (flags & flag) !== 0;
  // Spread in wire order: each read moves the cursor.
  return {
    ...(has(attributeFlag.size) && { size: reader.readUint64() }),
    ...(has(attributeFlag.ownership) && { ownership: { uid: reader.readUint32(), gid: reader.readUint32() } }),
    ...(has(attributeFlag.permissions) && { permissions: reader.readUint32() }),
    ...(has(attributeFlag.times) && { times: { accessed: reader.readUint32(), modified: reader.readUint32() } }),
    ...(has(attributeFlag.extended) && { extended: readExtended(reader) }),
  };
}

function readExtended(reader: WireReader): { name: string; data: Buffer }[] {
  const pairs: { name: string; data: Buffer }[] = [];
  // The count is the client's claim; each pair has at least eight bytes, so the packet's end bounds the loop.
  for (let left = reader.readUint32(); left > 0; left -= 1) {
    pairs.push({ name: reader.readText(), data: reader.readBytes() });
  }
  return pairs;
}
