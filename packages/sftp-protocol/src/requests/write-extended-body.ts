import type { WireWriter } from '../wire/wire-writer.ts';
import type { SftpRequest } from './sftp-request.ts';

/** Requests that travel as EXTENDED. */
export type ExtendedRequest = Extract<
  SftpRequest,
  {
    type:
      | 'posix-rename'
      | 'fsync'
      | 'limits'
      | 'statvfs'
      | 'fstatvfs'
      | 'copy-data'
      | 'check-file-name'
      | 'check-file-handle'
      | 'home-directory'
      | 'expand-path'
      | 'extended';
  }
>;

/** Writes the name and the body of an EXTENDED request: the mirror of `decodeExtended`. */
export function writeExtendedBody(writer: WireWriter, request: ExtendedRequest): void {
  switch (request.type) {
    case 'posix-rename':
      writer.writeString('posix-rename@openssh.com').writeString(request.oldPath).writeString(request.newPath);
      break;
    case 'fsync':
      writer.writeString('fsync@openssh.com').writeString(request.handle);
      break;
    case 'limits':
      writer.writeString('limits@openssh.com');
      break;
    case 'statvfs':
      writer.writeString('statvfs@openssh.com').writeString(request.path);
      break;
    case 'fstatvfs':
      writer.writeString('fstatvfs@openssh.com').writeString(request.handle);
      break;
    case 'copy-data':
      writer.writeString('copy-data').writeString(request.handle).writeUint64(request.offset);
      writer.writeUint64(request.length).writeString(request.targetHandle).writeUint64(request.targetOffset);
      break;
    case 'check-file-name':
    case 'check-file-handle':
      writer.writeString(request.type);
      writer.writeString(request.type === 'check-file-name' ? request.path : request.handle);
      writer.writeString(request.algorithms.join(',')).writeUint64(request.offset);
      writer.writeUint64(request.length).writeUint32(request.blockBytes);
      break;
    case 'home-directory':
      writer.writeString('home-directory').writeString(request.userName);
      break;
    case 'expand-path':
      writer.writeString('expand-path@openssh.com').writeString(request.path);
      break;
    case 'extended':
    default:
      writer.writeString(request.name).writeRaw(request.data);
  }
}
