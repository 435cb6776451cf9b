import { packetType } from '../wire/packet-type.ts';
import { WireWriter } from '../wire/wire-writer.ts';
import { writeAttributes } from '../wire/write-attributes.ts';
import type { SftpResponse } from './sftp-response.ts';

/**
 * Encodes a response with its length prefix. DATA with a long payload is better sent as `encodeDataHeader` and the
 * payload itself, without a copy.
 */
export function encodeResponse(response: SftpResponse): Buffer {
  switch (response.type) {
    case 'version': {
      const writer = new WireWriter(packetType.version).writeUint32(response.version);
      for (const { name, data } of response.extensions) writer.writeString(name).writeString(data);
      return writer.finish();
    }
    case 'status':
      return (
        begin(packetType.status, response.id)
          .writeUint32(response.code)
          .writeString(response.message)
          // RFC 3066 language tag.
          .writeString('en')
          .finish()
      );
    case 'handle':
      return begin(packetType.handle, response.id).writeString(response.handle).finish();
    case 'data':
      return begin(packetType.data, response.id).writeString(response.data).finish();
    case 'name': {
      const writer = begin(packetType.name, response.id).writeUint32(response.entries.length);
      for (const { filename, longname, attributes } of response.entries) {
        writer.writeString(filename).writeString(longname);
        writeAttributes(writer, attributes);
      }
      return writer.finish();
    }
    case 'attrs': {
      const writer = begin(packetType.attrs, response.id);
      writeAttributes(writer, response.attributes);
      return writer.finish();
    }
    case 'extended-reply':
    default:
      return begin(packetType.extendedReply, response.id).writeRaw(response.data).finish();
  }
}

function begin(type: number, id: number): WireWriter {
  return new WireWriter(type).writeUint32(id);
}
