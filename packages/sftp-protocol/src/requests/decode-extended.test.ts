import { describe, expect, it } from 'vitest';
import { decodeRequest } from './decode-request.ts';
import { encodeRequest } from './encode-request.ts';
import type { SftpRequest } from './sftp-request.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s+/g, ''), 'hex');
const withoutPrefix = (packet: Buffer) => packet.subarray(4);

const vectors: [string, string, SftpRequest][] = [
  [
    'EXTENDED statvfs@openssh.com',
    `c8 0000001b 00000013 ${Buffer.from('statvfs@openssh.com').toString('hex')} 00000001 2f`,
    { type: 'statvfs', id: 27, path: Buffer.from('/') },
  ],
  [
    'EXTENDED fstatvfs@openssh.com',
    `c8 0000001c 00000014 ${Buffer.from('fstatvfs@openssh.com').toString('hex')} 00000001 68`,
    { type: 'fstatvfs', id: 28, handle: Buffer.from('h') },
  ],
  [
    'EXTENDED copy-data',
    `c8 00000017 00000009 ${Buffer.from('copy-data').toString('hex')} 00000001 68 0000000000000001 0000000000000002
     00000001 69 0000000000000003`,
    {
      type: 'copy-data',
      id: 23,
      handle: Buffer.from('h'),
      offset: 1,
      length: 2,
      targetHandle: Buffer.from('i'),
      targetOffset: 3,
    },
  ],
  [
    'EXTENDED check-file-name',
    `c8 00000018 0000000f ${Buffer.from('check-file-name').toString('hex')} 00000001 61
     0000000a ${Buffer.from('sha256,md5').toString('hex')} 0000000000000001 0000000000000002 00000100`,
    {
      type: 'check-file-name',
      id: 24,
      path: Buffer.from('a'),
      algorithms: ['sha256', 'md5'],
      offset: 1,
      length: 2,
      blockBytes: 256,
    },
  ],
  [
    'EXTENDED home-directory',
    `c8 00000019 0000000e ${Buffer.from('home-directory').toString('hex')} 00000001 61`,
    { type: 'home-directory', id: 25, userName: Buffer.from('a') },
  ],
  [
    'EXTENDED expand-path@openssh.com',
    `c8 0000001a 00000017 ${Buffer.from('expand-path@openssh.com').toString('hex')} 00000001 7e`,
    { type: 'expand-path', id: 26, path: Buffer.from('~') },
  ],
];

describe('an EXTENDED request', () => {
  it.each(vectors)('%s is decoded as its specification lays it out', (_name, bytes, request) => {
    expect(decodeRequest(hex(bytes))).toEqual(request);
  });

  it.each(vectors)('%s is encoded to the same bytes', (_name, bytes, request) => {
    expect(withoutPrefix(encodeRequest(request)).toString('hex')).toBe(hex(bytes).toString('hex'));
  });

  it("accepts paramiko's name of check-file-handle", () => {
    const data = encodeRequest({
      type: 'extended',
      id: 1,
      name: 'check-file',
      data: hex('00000001 68 00000006 736861323536 0000000000000000 0000000000000000 00000000'),
    });
    expect(decodeRequest(withoutPrefix(data))).toMatchObject({ type: 'check-file-handle', algorithms: ['sha256'] });
  });
});
