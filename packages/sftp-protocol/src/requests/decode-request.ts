import { packetType } from '../wire/packet-type.ts';
import { readAttributes } from '../wire/read-attributes.ts';
import { SftpProtocolError } from '../wire/sftp-protocol-error.ts';
import { WireReader } from '../wire/wire-reader.ts';
import { decodeExtended } from './decode-extended.ts';
import { readHandle } from './read-handle.ts';
import type { ExtensionPair, SftpRequest } from './sftp-request.ts';

/**
 * Decodes one packet of PacketReader. Bytes after the last field are ignored, as in OpenSSH. Throws
 * SftpProtocolError only; it names the request id as soon as that was readable.
 */
export function decodeRequest(packet: Buffer): SftpRequest {
  const reader = new WireReader(packet);
  const type = reader.readByte();
  if (type === packetType.init) {
    return { type: 'init', version: reader.readUint32(), extensions: readExtensions(reader) };
  }
  const id = reader.readUint32();
  try {
    return decodeBody(type, id, reader);
  } catch (error) {
    if (error instanceof SftpProtocolError) throw new SftpProtocolError(error.violation, error.message, id);
    throw error;
  }
}

function decodeBody(type: number, id: number, reader: WireReader): SftpRequest {
  switch (type) {
    case packetType.open:
      return {
        type: 'open',
        id,
        path: reader.readBytes(),
        flags: reader.readUint32(),
        attributes: readAttributes(reader),
      };
    case packetType.close:
      return { type: 'close', id, handle: readHandle(reader) };
    case packetType.read:
      return {
        type: 'read',
        id,
        handle: readHandle(reader),
        offset: reader.readUint64(),
        length: reader.readUint32(),
      };
    case packetType.write:
      return { type: 'write', id, handle: readHandle(reader), offset: reader.readUint64(), data: reader.readBytes() };
    case packetType.fstat:
      return { type: 'fstat', id, handle: readHandle(reader) };
    case packetType.fsetstat:
      return { type: 'fsetstat', id, handle: readHandle(reader), attributes: readAttributes(reader) };
    case packetType.readdir:
      return { type: 'readdir', id, handle: readHandle(reader) };
    case packetType.extended:
      return decodeExtended(id, reader);
    default:
      return decodePathRequest(type, id, reader);
  }
}

function decodePathRequest(type: number, id: number, reader: WireReader): SftpRequest {
  switch (type) {
    case packetType.lstat:
      return { type: 'lstat', id, path: reader.readBytes() };
    case packetType.stat:
      return { type: 'stat', id, path: reader.readBytes() };
    case packetType.opendir:
      return { type: 'opendir', id, path: reader.readBytes() };
    case packetType.remove:
      return { type: 'remove', id, path: reader.readBytes() };
    case packetType.rmdir:
      return { type: 'rmdir', id, path: reader.readBytes() };
    case packetType.realpath:
      return { type: 'realpath', id, path: reader.readBytes() };
    case packetType.readlink:
      return { type: 'readlink', id, path: reader.readBytes() };
    case packetType.setstat:
      return { type: 'setstat', id, path: reader.readBytes(), attributes: readAttributes(reader) };
    case packetType.mkdir:
      return { type: 'mkdir', id, path: reader.readBytes(), attributes: readAttributes(reader) };
    case packetType.rename:
      return { type: 'rename', id, oldPath: reader.readBytes(), newPath: reader.readBytes() };
    case packetType.symlink:
      return { type: 'symlink', id, linkPath: reader.readBytes(), targetPath: reader.readBytes() };
    default:
      return { type: 'unknown', id, packetType: type };
  }
}

function readExtensions(reader: WireReader): ExtensionPair[] {
  const extensions: ExtensionPair[] = [];
  while (reader.remaining > 0) extensions.push({ name: reader.readText(), data: reader.readText() });
  return extensions;
}
