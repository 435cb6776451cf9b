import type { WireReader } from '../wire/wire-reader.ts';
import { readHandle } from './read-handle.ts';
import type { SftpRequest } from './sftp-request.ts';

/** Decodes the name and the body of an EXTENDED request; the body of an unknown one is not decoded. */
export function decodeExtended(id: number, reader: WireReader): SftpRequest {
  const name = reader.readText();
  switch (name) {
    case 'posix-rename@openssh.com':
      return { type: 'posix-rename', id, oldPath: reader.readBytes(), newPath: reader.readBytes() };
    case 'fsync@openssh.com':
      return { type: 'fsync', id, handle: readHandle(reader) };
    case 'limits@openssh.com':
      return { type: 'limits', id };
    case 'statvfs@openssh.com':
      return { type: 'statvfs', id, path: reader.readBytes() };
    case 'fstatvfs@openssh.com':
      return { type: 'fstatvfs', id, handle: readHandle(reader) };
    case 'copy-data':
      return {
        type: 'copy-data',
        id,
        handle: readHandle(reader),
        offset: reader.readUint64(),
        length: reader.readUint64(),
        targetHandle: readHandle(reader),
        targetOffset: reader.readUint64(),
      };
    case 'check-file-name':
      return { type: 'check-file-name', id, path: reader.readBytes(), ...readHashedRange(reader) };
    // Paramiko's name for it, from an earlier draft.
    case 'check-file':
    case 'check-file-handle':
      return { type: 'check-file-handle', id, handle: readHandle(reader), ...readHashedRange(reader) };
    case 'home-directory':
      return { type: 'home-directory', id, userName: reader.readBytes() };
    case 'expand-path@openssh.com':
      return { type: 'expand-path', id, path: reader.readBytes() };
    default:
      return { type: 'extended', id, name, data: reader.readRest() };
  }
}

function readHashedRange(reader: WireReader) {
  return {
    algorithms: reader.readText().split(','),
    offset: reader.readUint64(),
    length: reader.readUint64(),
    blockBytes: reader.readUint32(),
  };
}
