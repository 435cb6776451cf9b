import { once } from 'node:events';
import { Client, type SFTPWrapper } from 'ssh2';
import type { Door, OperationName, Outcome } from './door.ts';

/** SFTP version 3 with promises, so that many requests may be under way. */
export interface SftpConnection extends AsyncDisposable {
  readonly sftp: SFTPWrapper;
}

const flags = { read: 0x01, write: 0x02, create: 0x08, truncate: 0x10, exclusive: 0x20 };

/** A login with the right credentials was refused, and the connection ended. */
export class TurnedAway extends Error {
  override readonly name = 'TurnedAway';
}

/** Logs in, with the key first if there is one. */
export async function connectSftp(login: {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly privateKey?: string;
}): Promise<SftpConnection> {
  const { port, user: username, password, privateKey: key } = login;
  const client = new Client();
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
  const byPassword = { type: 'password', username, password } as const;
  const authHandler = key === undefined ? [byPassword] : [{ type: 'publickey', username, key } as const, byPassword];
  client.connect({ host: '127.0.0.1', port, username, authHandler });
  // The server ends the connection of a user whom it turns away, which is no error to the client.
  const turnedAway = closed.then((): never => {
    throw new TurnedAway(`the server has ended the connection of ${username}`);
  });
  await Promise.race([once(client, 'ready'), turnedAway]);
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
    client.sftp((error, channel) => (error ? reject(error) : resolve(channel)));
  });
  return {
    sftp,
    [Symbol.asyncDispose]: async () => {
      client.end();
      await closed;
    },
  };
}

/** The SFTP door. */
export function createSftpDoor(connection: SftpConnection): Door & AsyncDisposable {
  const { sftp } = connection;
  const prepare: Partial<Record<OperationName, (spare: string) => Promise<void>>> = {
    'move a file in': (spare) => storeFile(sftp, spare),
    'move a file in, replacing': (spare) => storeFile(sftp, spare),
    'move a folder in': (spare) => makeFolder(sftp, spare),
  };
  return {
    run: async (operation, path, spare) => {
      await prepare[operation]?.(spare);
      try {
        await requests[operation](sftp, path, spare);
        return 'done';
      } catch (error) {
        return outcomeOf(error);
      }
    },
    namesIn: async (path) => {
      try {
        return await namesIn(sftp, path);
      } catch (error) {
        outcomeOf(error);
        return undefined;
      }
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

/** Stores a file of one byte. */
export async function storeFile(sftp: SFTPWrapper, path: string): Promise<void> {
  await close(sftp, await beginFile(sftp, path));
}

/** Writes a byte of a new file and leaves it open. */
export async function beginFile(sftp: SFTPWrapper, path: string, more = flags.truncate): Promise<Buffer> {
  const handle = await open(sftp, path, flags.write | flags.create | more);
  await settle((done) => sftp.write(handle, Buffer.from('x'), 0, 1, 0, done));
  return handle;
}

/** Makes a folder. */
export async function makeFolder(sftp: SFTPWrapper, path: string): Promise<void> {
  await settle((done) => sftp.mkdir(path, done));
}

function namesIn(sftp: SFTPWrapper, path: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    sftp.readdir(path, (error, entries) => (error ? reject(error) : resolve(entries.map(({ filename }) => filename))));
  });
}

const requests: Record<OperationName, (sftp: SFTPWrapper, path: string, spare: string) => Promise<void>> = {
  look: (sftp, path) => settle((done) => sftp.stat(path, done)),
  list: (sftp, path) => settle((done) => sftp.opendir(path, done)),
  // What `get -r` begins with.
  archive: (sftp, path) => settle((done) => sftp.opendir(path, done)),
  download: async (sftp, path) => close(sftp, await open(sftp, path, flags.read)),
  upload: storeFile,
  'upload where nothing is': async (sftp, path) => close(sftp, await beginFile(sftp, path, flags.exclusive)),
  'write on': async (sftp, path) => close(sftp, await open(sftp, path, flags.write)),
  'make folder': makeFolder,
  'remove file': (sftp, path) => settle((done) => sftp.unlink(path, done)),
  'remove folder': (sftp, path) => settle((done) => sftp.rmdir(path, done)),
  'rename in its folder': (sftp, path) => settle((done) => sftp.rename(path, `${path}-renamed`, done)),
  'move out': (sftp, path, spare) => settle((done) => sftp.rename(path, spare, done)),
  'move a file in': (sftp, path, spare) => settle((done) => sftp.rename(spare, path, done)),
  'move a file in, replacing': (sftp, path, spare) => settle((done) => sftp.ext_openssh_rename(spare, path, done)),
  'move a folder in': (sftp, path, spare) => settle((done) => sftp.rename(spare, path, done)),
  'set metadata': (sftp, path) => settle((done) => sftp.setstat(path, { mode: 0o640 }, done)),
  'set time': (sftp, path) => settle((done) => sftp.setstat(path, { atime: 1_000_000, mtime: 1_000_000 }, done)),
};

const outcomes: Readonly<Record<number, Outcome>> = { 2: 'missing', 3: 'refused', 4: 'other' };

function outcomeOf(error: unknown): Outcome {
  const status = error instanceof Error && 'code' in error ? outcomes[Number(error.code)] : undefined;
  if (status === undefined) throw error;
  return status;
}

function open(sftp: SFTPWrapper, path: string, mode: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sftp.open(path, mode, (error, handle) => (error ? reject(error) : resolve(handle)));
  });
}

function close(sftp: SFTPWrapper, handle: Buffer): Promise<void> {
  return settle((done) => sftp.close(handle, done));
}

function settle(ask: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    ask((error) => (error ? reject(error) : resolve()));
  });
}
