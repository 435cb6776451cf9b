import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';

type Asked = Parameters<RawSftpClient['ask']>[0];
type WithoutId<Request> = Request extends Asked ? Omit<Request, 'id'> : never;

/** Two users of one VFS, each with a session, who use files of a folder that is new for each test. */
export function filesOfTwoUsers() {
  let rig: GatewayRig;
  let gateway: RunningGateway;
  let client: RawSftpClient;
  let other: RawSftpClient;
  let folder = '';
  let tests = 0;

  beforeAll(async () => {
    rig = await createGatewayRig({ users: [{ name: 'colleague', password: 'colleague-demo' }] });
    gateway = await rig.start('peer1');
    client = await connectRawSftp({ port: gateway.sftpPort, user: 'globex' });
    other = await connectRawSftp({ port: gateway.sftpPort, user: 'colleague' });
  });
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    await other?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rig?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    tests += 1;
    folder = `/data/test-${tests}`;
    await client.ask({ type: 'mkdir', id: 1, path: at(''), attributes: {} });
  });

  const at = (name: string) => Buffer.from(name === '' ? folder : `${folder}/${name}`);
  const status = async (by: RawSftpClient, request: WithoutId<Asked>): Promise<number | string> => {
    const answer = await by.ask({ ...request, id: 1 } as Asked);
    return answer.type === 'status' ? answer.code : answer.type;
  };
  const open = async (by: RawSftpClient, name: string, flags: number): Promise<Buffer> => {
    const answer = await by.ask({ type: 'open', id: 1, path: at(name), flags, attributes: {} });
    if (answer.type !== 'handle') throw new Error(`OPEN was answered with ${JSON.stringify(answer)}`);
    return Buffer.from(answer.handle);
  };
  const writeAt = (by: RawSftpClient, handle: Buffer, text: string, offset = 0) =>
    status(by, { type: 'write', handle, offset, data: Buffer.from(text) });
  const close = (by: RawSftpClient, handle: Buffer) => status(by, { type: 'close', handle });
  const readAt = async (by: RawSftpClient, handle: Buffer): Promise<string | number> => {
    const answer = await by.ask({ type: 'read', id: 1, handle, offset: 0, length: 1_000 });
    if (answer.type === 'data') return answer.data.toString();
    if (answer.type !== 'status') return answer.type;
    return answer.code === statusCode.eof ? '' : answer.code;
  };
  const { read, write, create, truncate } = openFlag;

  return {
    /** They log in before the first test. */
    get client() {
      return client;
    },
    get other() {
      return other;
    },
    get rig() {
      return rig;
    },
    connect: (user: string) => connectRawSftp({ port: gateway.sftpPort, user }),
    at,
    status,
    open,
    writeAt,
    close,
    readAt,
    remove: (by: RawSftpClient, name: string) => status(by, { type: 'remove', path: at(name) }),
    rename: (by: RawSftpClient, from: string, to: string) =>
      status(by, { type: 'rename', oldPath: at(from), newPath: at(to) }),
    posixRename: (by: RawSftpClient, from: string, to: string) =>
      status(by, { type: 'posix-rename', oldPath: at(from), newPath: at(to) }),
    put: async (by: RawSftpClient, name: string, text: string): Promise<void> => {
      const handle = await open(by, name, write | create | truncate);
      expect(await writeAt(by, handle, text)).toBe(statusCode.ok);
      expect(await close(by, handle)).toBe(statusCode.ok);
    },
    /** The content that a client reads by a name; undefined if there is no file. */
    get: async (by: RawSftpClient, name: string): Promise<string | number | undefined> => {
      const answer = await by.ask({ type: 'open', id: 1, path: at(name), flags: read, attributes: {} });
      if (answer.type !== 'handle') {
        return answer.type === 'status' && answer.code === statusCode.noSuchFile ? undefined : answer.type;
      }
      const handle = Buffer.from(answer.handle);
      const text = await readAt(by, handle);
      expect(await close(by, handle)).toBe(statusCode.ok);
      return text;
    },
    /** The audit events and file events of the folder. */
    told: async () => {
      const audited = (await rig.audited()).map(({ auditMessage }) => auditMessage.replaceAll(/ FilesetId \d+/gu, ''));
      const events = await rig.database.query(
        `select payload ->> 'path' as path from outbox.events
         where topic = 'file-event' and payload ->> 'kind' = 'stored' order by created_at, id`,
      );
      return {
        audited: audited.filter((message) => message.includes(`${folder}/`)),
        started: events.map(({ path }) => String(path)).filter((path) => path.startsWith(`${folder}/`)),
      };
    },
    /** Unfinished uploads to the folder. */
    leftOver: async (): Promise<number> => {
      const rows = await rig.database.query(
        'select from filebox.uploads u join filebox.entries e on e.id = u.parent_id where e.name = $1',
        [`test-${tests}`],
      );
      return rows.length;
    },
  };
}
