import type { Permission } from '@waybill/contracts/values/permission';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { PlatformProcess } from '../platform-process.ts';
import type { Door, OperationName } from '../two-doors/door.ts';
import { createHttpDoor } from '../two-doors/http-door.ts';
import { connectSftp, createSftpDoor, TurnedAway } from '../two-doors/sftp-door.ts';
import type { Question } from './questions.ts';

/** Does what a question asks, and tells whether it was done. */
export type Attempt = (question: Question) => Promise<boolean>;

const operations: Readonly<Record<Permission, OperationName>> = {
  list: 'list',
  download: 'download',
  upload: 'upload',
  createFolder: 'make folder',
  delete: 'remove file',
  rename: 'move out',
};

/** Logs a user in over a protocol, with the password and with the key; who cannot log in is refused everything. */
export async function openDoor(
  platform: PlatformProcess,
  { user, protocol, privateKey }: { readonly user: string; readonly protocol: Protocol; readonly privateKey: string },
): Promise<{ readonly attempt: Attempt } & AsyncDisposable> {
  await using resources = new AsyncDisposableStack();
  const door = await (protocol === 'SFTP'
    ? overSftp(platform, { user, privateKey }, resources)
    : overHttp(platform, user));
  const owned = resources.move();
  return {
    attempt: async ({ operation, path, spare }) =>
      door !== undefined && (await isDone(() => door.run(operations[operation], path, spare))),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function overSftp(
  { sftpPort: port }: PlatformProcess,
  { user, privateKey }: { readonly user: string; readonly privateKey: string },
  resources: AsyncDisposableStack,
): Promise<Door | undefined> {
  try {
    return resources.use(createSftpDoor(await connectSftp({ port, user, password: user, privateKey })));
  } catch (error) {
    if (error instanceof TurnedAway) return undefined;
    if (error instanceof Error && (isRefusedLogin(error) || noSession.test(error.message))) return undefined;
    throw error;
  }
}

/** What a user learns whom no Connection Contract connects. */
const noSession = /exit code 1 while establishing SFTP session/u;

function isRefusedLogin(error: Error): boolean {
  return 'level' in error && error.level === 'client-authentication';
}

async function overHttp(platform: PlatformProcess, user: string): Promise<Door | undefined> {
  const client = platform.http();
  const { status, text } = await client.post('/2.0/login/basic', { form: { username: user, password: user } });
  if (status === 200) return createHttpDoor(client);
  if (status === 401) return undefined;
  throw new Error(`login of ${user}: ${status} ${text}`);
}

/** Refusals that the doors of other tests do not expect: no Connection Contract, and limits. */
const otherRefusals = /^(?:401|507) /u;

async function isDone(run: () => Promise<string>): Promise<boolean> {
  try {
    return (await run()) === 'done';
  } catch (error) {
    if (error instanceof Error && otherRefusals.test(error.message)) return false;
    throw error;
  }
}
