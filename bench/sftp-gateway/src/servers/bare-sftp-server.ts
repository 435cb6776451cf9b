import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { posix } from 'node:path';
import { decodeRequest } from '@waybill/sftp-protocol/requests/decode-request';
import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import { dataHeaderBytes, encodeDataHeader } from '@waybill/sftp-protocol/responses/encode-data-header';
import { encodeLimits } from '@waybill/sftp-protocol/responses/encode-extended-replies';
import { encodeResponse } from '@waybill/sftp-protocol/responses/encode-response';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { statusCode, type StatusCode } from '@waybill/sftp-protocol/responses/status-code';
import type { FileAttributes } from '@waybill/sftp-protocol/wire/file-attributes';
import { PacketReader } from '@waybill/sftp-protocol/wire/packet-reader';
import { protocolLimits } from '@waybill/sftp-protocol/wire/protocol-limits';
import ssh2, { type ServerChannel } from 'ssh2';
import { bigFile, smallFileBytes } from '../files/bench-files.ts';
import { storeInOrder } from './store-in-order.ts';

/**
 * An SFTP server that only responds: it remembers the names of uploads, uses no database, and accepts every login. The big
 * file alone it hashes and stores. Arguments: the port on loopback, the file of its host key, the file that it stores.
 */
const [port, hostKeyFile = '', storedFile = ''] = process.argv.slice(2);
const content = randomBytes(smallFileBytes);
const folders = new Map<string, Set<string>>([['/', new Set()]]);
const folderAttributes: FileAttributes = { permissions: 0o40_755, size: 0 };
const fileAttributes: FileAttributes = { permissions: 0o100_644, size: smallFileBytes };
const bigFileAttributes: FileAttributes = { permissions: 0o100_644, size: bigFile.bytes };
const entriesOfAnswer = 400;
/** Reused DATA packets with a part of the big file. */
const parts: Buffer[] = [];

const limits = { name: 'limits@openssh.com', data: '1' };
const { packetBytes, dataBytes } = protocolLimits;
const limitsOfRequests = encodeLimits({ packetBytes, readBytes: dataBytes, writeBytes: dataBytes, openHandles: 0 });

type Request = Exclude<SftpRequest, { type: 'init' }>;
type RequestOf<Type extends SftpRequest['type']> = Extract<SftpRequest, { type: Type }>;

const ssh = new ssh2.Server({ hostKeys: [await readFile(hostKeyFile)] }, (client) => {
  client.on('error', () => {});
  client.on('authentication', (context) => context.accept());
  client.on('session', (accept) => {
    accept().on('subsystem', (acceptChannel) => serve(acceptChannel()));
  });
});
createServer({ noDelay: true }, (socket) => ssh.injectSocket(socket)).listen(Number(port), '127.0.0.1');

function serve(channel: ServerChannel): void {
  const reader = new PacketReader();
  const unread = new Map<string, string[]>();
  const received = storeInOrder(storedFile, (id) => channel.write(encodeResponse(status({ id }, statusCode.ok))));
  channel.on('error', () => {});
  channel.on('data', (chunk: Buffer) => {
    reader.push(chunk);
    for (let packet = reader.read(); packet !== undefined; packet = reader.read()) {
      const request = decodeRequest(packet);
      if (request.type === 'read' && isOfBigFile(request.handle)) sendPart(channel, request);
      else if (request.type === 'write' && isOfBigFile(request.handle)) received.add(request);
      else if (request.type === 'close' && isOfBigFile(request.handle)) received.end(request.id);
      else channel.write(encodeResponse(answer(request, unread)));
    }
  });
  channel.on('end', () => {
    channel.exit(0);
    channel.end();
  });
}

function answer(request: SftpRequest, unread: Map<string, string[]>): SftpResponse {
  if (request.type === 'init') return { type: 'version', version: 3, extensions: [limits] };
  const { id } = request;
  const path = 'path' in request ? posix.resolve('/', request.path.toString()) : '/';
  switch (request.type) {
    case 'realpath':
      return { type: 'name', id, entries: [{ filename: path, longname: path, attributes: {} }] };
    case 'stat':
    case 'lstat':
      return { type: 'attrs', id, attributes: attributesOf(path) };
    case 'open':
      folders.get(posix.dirname(path))?.add(posix.basename(path));
      return { type: 'handle', id, handle: Buffer.from(path) };
    case 'opendir':
      unread.set(path, [...(folders.get(path) ?? [])]);
      return { type: 'handle', id, handle: Buffer.from(path) };
    case 'mkdir':
      folders.set(path, folders.get(path) ?? new Set());
      return status(request, statusCode.ok);
    case 'read':
      return request.offset === 0 ? { type: 'data', id, data: content } : status(request, statusCode.eof);
    case 'limits':
      return { type: 'extended-reply', id, data: limitsOfRequests };
    case 'readdir':
      return nextNames(request, unread.get(request.handle.toString()) ?? []);
    default:
      return status(request, statusCode.ok);
  }
}

function attributesOf(path: string): FileAttributes {
  if (folders.has(path)) return folderAttributes;
  return isOfBigFile(Buffer.from(path)) ? bigFileAttributes : fileAttributes;
}

function isOfBigFile(handle: Buffer): boolean {
  return handle.toString() === `/${bigFile.name}`;
}

function sendPart(channel: ServerChannel, request: RequestOf<'read'>): void {
  const length = Math.min(request.length, protocolLimits.dataBytes, bigFile.bytes - request.offset);
  if (length <= 0) {
    channel.write(encodeResponse(status(request, statusCode.eof)));
    return;
  }
  const packet = parts.pop() ?? randomBytes(dataHeaderBytes + protocolLimits.dataBytes);
  encodeDataHeader(request.id, length, packet);
  channel.write(packet.subarray(0, dataHeaderBytes + length), () => parts.push(packet));
}

function nextNames(request: Request, names: string[]): SftpResponse {
  const next = names.splice(0, entriesOfAnswer);
  if (next.length === 0) return status(request, statusCode.eof);
  const entries = next.map((name) => ({ filename: name, longname: name, attributes: fileAttributes }));
  return { type: 'name', id: request.id, entries };
}

function status({ id }: Pick<Request, 'id'>, code: StatusCode): SftpResponse {
  return { type: 'status', id, code, message: '' };
}
