import { attributeFlag, type FileAttributes } from './file-attributes.ts';
import type { WireWriter } from './wire-writer.ts';

/** Writes an ATTRS structure with exactly the parts that are present. */
export function writeAttributes(writer: WireWriter, attributes: FileAttributes): void {
  const { size, ownership, permissions, times, extended } = attributes;
  writer.writeUint32(flagsOf(attributes));
  if (size !== undefined) writer.writeUint64(size);
  if (ownership !== undefined) writer.writeUint32(ownership.uid).writeUint32(ownership.gid);
  if (permissions !== undefined) writer.writeUint32(permissions);
  if (times !== undefined) writer.writeUint32(times.accessed).writeUint32(times.modified);
  if (extended !== undefined) {
    writer.writeUint32(extended.length);
    for (const { name, data } of extended) writer.writeString(name).writeString(data);
  }
}

function flagsOf(attributes: FileAttributes): number {
  return (
    (attributes.size === undefined ? 0 : attributeFlag.size) |
    (attributes.ownership === undefined ? 0 : attributeFlag.ownership) |
    (attributes.permissions === undefined ? 0 : attributeFlag.permissions) |
    (attributes.times === undefined ? 0 : attributeFlag.times) |
    (attributes.extended === undefined ? 0 : attributeFlag.extended)
  );
}
