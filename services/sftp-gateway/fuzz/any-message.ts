import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import fc from 'fast-check';
import type { Message } from './conversation.ts';

/** Few names, so that messages affect the same files: open files, folders in use, names of either kind. */
const paths = fc
  .oneof(
    { weight: 12, arbitrary: fc.constantFrom('/data/a', '/data/b', '/data/d/c', '/data/d', '/data', '/', '/data/d/e') },
    { weight: 2, arbitrary: fc.constantFrom('', '..', '/data/../data/a', 'data/a', '~', '/none/x', '/data/a/x') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('/data/\0', '/data/\n', `/data/${'x'.repeat(256)}`, '/data//a/.', '/a'.repeat(3_000)),
    },
  )
  .map((text) => Buffer.from(text));
const rawPaths = fc.oneof(
  { weight: 20, arbitrary: paths },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)) },
);
const numbers = fc.oneof(
  { weight: 6, arbitrary: fc.nat(20_000) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 31 - 1, 2 ** 32 - 1, 2 ** 40, Number.MAX_SAFE_INTEGER) },
);
const uint32 = numbers.map((value) => Math.min(value, 0xffff_ffff));
const attributes = fc.record(
  {
    size: fc.nat(30_000),
    permissions: uint32,
    ownership: fc.record({ uid: uint32, gid: uint32 }),
    times: fc.record({ accessed: uint32, modified: uint32 }),
  },
  { requiredKeys: [] },
);
const data = fc.nat(3_000).map((length) => Buffer.alloc(length, length));
const handles = fc.nat(12);
const range = { offset: numbers, length: uint32 };
const hashing = {
  algorithms: fc.constantFrom(['sha256'], ['md5', 'sha256'], ['md5']),
  ...range,
  blockBytes: fc.constantFrom(0, 1, 256, 4096),
};

/** Leaves out what is only known when the message is sent. */
type Blank<Request> = Request extends SftpRequest ? Omit<Request, 'id'> : never;

const plain = (arbitrary: fc.Arbitrary<Blank<SftpRequest>>): fc.Arbitrary<Message> =>
  arbitrary.map((request) => ({ kind: 'request', of: (_handle, id) => ({ ...request, id }) as SftpRequest }));

/** Requests with handles: `handle` and `targetHandle` are numbers until the message is sent. */
const onHandle = (
  arbitrary: fc.Arbitrary<{ type: SftpRequest['type']; handle: number; targetHandle?: number }>,
): fc.Arbitrary<Message> =>
  arbitrary.map(({ handle, targetHandle, ...request }) => ({
    kind: 'request',
    of: (handleAt, id) =>
      ({
        ...request,
        id,
        handle: handleAt(handle),
        ...(targetHandle !== undefined && { targetHandle: handleAt(targetHandle) }),
      }) as SftpRequest,
  }));

/** Makes `/data` a folder, in case another conversation has removed it, or left a file there. */
export const folderAgain: readonly Message[] = [
  (id: number): SftpRequest => ({ type: 'remove', id, path: Buffer.from('/data') }),
  (id: number): SftpRequest => ({ type: 'mkdir', id, path: Buffer.from('/data'), attributes: {} }),
].map((requestOf) => ({ kind: 'request', of: (_handle, id) => requestOf(id) }));

/** Any message a client may send after INIT, valid or malformed, most of them about the same few files. */
export const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  {
    weight: 6,
    arbitrary: plain(
      fc.record({ type: fc.constant('open' as const), path: rawPaths, flags: fc.nat(0x3f), attributes }),
    ),
  },
  {
    weight: 12,
    arbitrary: onHandle(fc.record({ type: fc.constant('write' as const), handle: handles, offset: numbers, data })),
  },
  { weight: 12, arbitrary: onHandle(fc.record({ type: fc.constant('read' as const), handle: handles, ...range })) },
  {
    weight: 6,
    arbitrary: onHandle(
      fc.record({
        type: fc.constantFrom(
          'close' as const,
          'fstat' as const,
          'readdir' as const,
          'fsync' as const,
          'fstatvfs' as const,
        ),
        handle: handles,
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: onHandle(fc.record({ type: fc.constant('fsetstat' as const), handle: handles, attributes })),
  },
  {
    weight: 3,
    arbitrary: plain(
      fc.record({
        type: fc.constantFrom(
          'lstat',
          'stat',
          'opendir',
          'remove',
          'rmdir',
          'realpath',
          'readlink',
          'statvfs',
          'expand-path',
        ),
        path: rawPaths,
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: plain(
      fc.record({ type: fc.constantFrom('setstat' as const, 'mkdir' as const), path: rawPaths, attributes }),
    ),
  },
  {
    weight: 2,
    arbitrary: plain(
      fc.record({
        type: fc.constantFrom('rename' as const, 'posix-rename' as const),
        oldPath: rawPaths,
        newPath: rawPaths,
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: plain(fc.record({ type: fc.constant('symlink' as const), linkPath: rawPaths, targetPath: rawPaths })),
  },
  {
    weight: 1,
    arbitrary: plain(fc.record({ type: fc.constant('check-file-name' as const), path: rawPaths, ...hashing })),
  },
  {
    weight: 1,
    arbitrary: onHandle(fc.record({ type: fc.constant('check-file-handle' as const), handle: handles, ...hashing })),
  },
  {
    weight: 1,
    arbitrary: onHandle(
      fc.record({
        type: fc.constant('copy-data' as const),
        handle: handles,
        ...range,
        targetHandle: handles,
        targetOffset: fc.nat(20_000),
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: plain(
      fc.constantFrom({ type: 'limits' as const }, { type: 'home-directory' as const, userName: Buffer.from('x') }),
    ),
  },
  {
    weight: 1,
    arbitrary: plain(
      fc.record({ type: fc.constant('unknown' as const), packetType: fc.constantFrom(21, 99, 199, 201, 255) }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('cut' as const),
      packetType: fc.constantFrom(3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20),
      body: fc.constantFrom(Buffer.from([0, 0]), Buffer.from([0, 0, 0, 9, 1]), Buffer.from([255, 255, 255, 255])),
    }),
  },
);
