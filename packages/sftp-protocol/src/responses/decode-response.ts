import type { ExtensionPair } from '../requests/sftp-request.ts';
import { packetType } from '../wire/packet-type.ts';
import { readAttributes } from '../wire/read-attributes.ts';
import { SftpProtocolError } from '../wire/sftp-protocol-error.ts';
import { WireReader } from '../wire/wire-reader.ts';
import type { NameEntry, SftpResponse } from './sftp-response.ts';
import type { StatusCode } from './status-code.ts';
import { statusCode } from './status-code.ts';

/** Decodes one response as PacketReader gives it: the client's half. Throws SftpProtocolError only. */
export function decodeResponse(packet: Buffer): SftpResponse {
  const reader = new WireReader(packet);
  const type = reader.readByte();
  if (type === packetType.version) {
    const version = reader.readUint32();
    const extensions: ExtensionPair[] = [];
    while (reader.remaining > 0) extensions.push({ name: reader.readText(), data: reader.readText() });
    return { type: 'version', version, extensions };
  }
  const id = reader.readUint32();
  switch (type) {
    case packetType.status:
      return { type: 'status', id, code: readStatus(reader), message: reader.remaining > 0 ? reader.readText() : '' };
    case packetType.handle:
      return { type: 'handle', id, handle: reader.readBytes() };
    case packetType.data:
      return { type: 'data', id, data: reader.readBytes() };
    case packetType.name:
      return { type: 'name', id, entries: readEntries(reader) };
    case packetType.attrs:
      return { type: 'attrs', id, attributes: readAttributes(reader) };
    case packetType.extendedReply:
      return { type: 'extended-reply', id, data: reader.readRest() };
    default:
      throw new SftpProtocolError('unexpected-type', `No response has type ${type}`, id);
  }
}

/** Codes above those of version 3, which some servers send, mean a failure. */
function readStatus(reader: WireReader): StatusCode {
  const code = reader.readUint32();
  return Object.values(statusCode).find((known) => known === code) ?? statusCode.failure;
}

function readEntries(reader: WireReader): NameEntry[] {
  const entries: NameEntry[] = [];
  for (let left = reader.readUint32(); left > 0; left -= 1) {
    entries.push({ filename: reader.readText(), longname: reader.readText(), attributes: readAttributes(reader) });
  }
  return entries;
}
