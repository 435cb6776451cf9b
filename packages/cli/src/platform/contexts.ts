import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loginTokensSchema } from '@waybill/platform-client/credentials/manager-login';
import { z } from 'zod';
import { type Surroundings, UsageError } from '../command.ts';
import { withLock } from './file-lock.ts';

const place = { url: z.string(), user: z.string(), ca: z.string().optional() };

const contextSchema = z.discriminatedUnion('side', [
  z.strictObject({ side: z.literal('manager'), ...place, tokens: loginTokensSchema.optional() }),
  z.strictObject({ side: z.literal('partner'), ...place, cookie: z.string().optional() }),
]);

const contextsSchema = z.strictObject({
  current: z.strictObject({ manager: z.string().optional(), partner: z.string().optional() }),
  contexts: z.record(z.string(), contextSchema),
});

/** A platform, and a login there: of a manager user, or of a partner for files. */
export type Context = z.infer<typeof contextSchema>;

/** All contexts, and the names of those that are used without `--context`. */
export type Contexts = z.infer<typeof contextsSchema>;

/** The interface that a context is for. */
export type Side = Context['side'];

/** The contexts of a user of this machine. */
export interface ContextStore {
  readonly file: string;
  read(): Promise<Contexts>;
  /** Changes them; one change runs at a time, in all processes. What `change` throws leaves them as they are. */
  update<T>(change: (contexts: Contexts) => Promise<T>): Promise<T>;
}

/** The store in the folder of the user's settings (XDG Base Directory Specification): `~/.config/waybill/contexts.json`. */
export function openContextStore({ env }: Pick<Surroundings, 'env'>): ContextStore {
  const settings = env['XDG_CONFIG_HOME'] || (env['HOME'] && join(env['HOME'], '.config'));
  if (!settings) throw new UsageError('set HOME or XDG_CONFIG_HOME: the logins are kept there');
  const file = join(settings, 'waybill', 'contexts.json');
  return {
    file,
    read: () => readContexts(file),
    update: async (change) => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      return withLock(file, async () => {
        const contexts = await readContexts(file);
        const result = await change(contexts);
        await writeWhole(file, `${JSON.stringify(contexts, null, 2)}\n`);
        return result;
      });
    },
  };
}

async function readContexts(file: string): Promise<Contexts> {
  const found = await stat(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new UsageError(`${file} cannot be read`, { cause: error });
  });
  if (!found) return { current: {}, contexts: {} };
  if (!found.isFile()) throw new UsageError(`${file} is not a file`);
  if ((found.mode & 0o077) !== 0) {
    throw new UsageError(`${file} holds logins, and other users can use it: run \`chmod 600 ${file}\`, or remove it`);
  }
  try {
    return contextsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new UsageError(`${file} is damaged: remove it and log in again`, { cause });
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
