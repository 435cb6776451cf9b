import { packetType } from '../wire/packet-type.ts';
import { WireWriter } from '../wire/wire-writer.ts';
import { writeAttributes } from '../wire/write-attributes.ts';
import type { SftpRequest } from './sftp-request.ts';
import { writeExtendedBody } from './write-extended-body.ts';

/** Encodes a request with its length prefix: the client's half, and the mirror of `decodeRequest`. */
export function encodeRequest(request: SftpRequest): Buffer {
  if (request.type === 'init') {
    const writer = new WireWriter(packetType.init).writeUint32(request.version);
    for (const { name, data } of request.extensions) writer.writeString(name).writeString(data);
    return writer.finish();
  }
  const writer = new WireWriter(typeByte(request)).writeUint32(request.id);
  writeBody(writer, request);
  return writer.finish();
}

function typeByte(request: Exclude<SftpRequest, { type: 'init' }>): number {
  switch (request.type) {
    case 'unknown':
      return request.packetType;
    case 'posix-rename':
    case 'fsync':
    case 'limits':
    case 'statvfs':
    case 'fstatvfs':
    case 'copy-data':
    case 'check-file-name':
    case 'check-file-handle':
    case 'home-directory':
    case 'expand-path':
    case 'extended':
      return packetType.extended;
    default:
      return packetType[request.type];
  }
}

function writeBody(writer: WireWriter, request: Exclude<SftpRequest, { type: 'init' }>): void {
  switch (request.type) {
    case 'open':
      writer.writeString(request.path).writeUint32(request.flags);
      writeAttributes(writer, request.attributes);
      break;
    case 'close':
    case 'fstat':
    case 'readdir':
      writer.writeString(request.handle);
      break;
    case 'read':
      writer.writeString(request.handle).writeUint64(request.offset).writeUint32(request.length);
      break;
    case 'write':
      writer.writeString(request.handle).writeUint64(request.offset).writeString(request.data);
      break;
    case 'fsetstat':
      writer.writeString(request.handle);
      writeAttributes(writer, request.attributes);
      break;
    default:
      writePathBody(writer, request);
  }
}

type PathRequest = Exclude<
  SftpRequest,
  { type: 'init' | 'open' | 'close' | 'fstat' | 'readdir' | 'read' | 'write' | 'fsetstat' }
>;

function writePathBody(writer: WireWriter, request: PathRequest): void {
  switch (request.type) {
    case 'setstat':
    case 'mkdir':
      writer.writeString(request.path);
      writeAttributes(writer, request.attributes);
      break;
    case 'rename':
      writer.writeString(request.oldPath).writeString(request.newPath);
      break;
    case 'symlink':
      writer.writeString(request.linkPath).writeString(request.targetPath);
      break;
    case 'posix-rename':
    case 'fsync':
    case 'limits':
    case 'statvfs':
    case 'fstatvfs':
    case 'copy-data':
    case 'check-file-name':
    case 'check-file-handle':
    case 'home-directory':
    case 'expand-path':
    case 'extended':
      writeExtendedBody(writer, request);
      break;
    case 'unknown':
      break;
    default:
      writer.writeString(request.path);
  }
}
