import type { FileAttributes } from '@waybill/sftp-protocol/wire/file-attributes';

const modeBits = 0o7777;

/**
 * Mode and owner as metadata of a file: `sftp.mode` in octal digits, such as `0640`, and `sftp.owner` as `uid:gid`.
 * They have no other effect. Undefined where neither was sent.
 */
export function metadataOfAttributes(attributes: FileAttributes): Readonly<Record<string, string>> | undefined {
  const { permissions, ownership } = attributes;
  if (permissions === undefined && ownership === undefined) return undefined;
  return {
    ...(permissions !== undefined && { 'sftp.mode': (permissions & modeBits).toString(8).padStart(4, '0') }),
    ...(ownership !== undefined && { 'sftp.owner': `${ownership.uid}:${ownership.gid}` }),
  };
}
