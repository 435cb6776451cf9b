import { createHash, randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { runSftp } from '@waybill/test-kit/run-sftp';
import type { RunningPlatform } from './composed-platform.ts';
import type { Ledger } from './ledger.ts';

const headers = { 'content-type': 'application/octet-stream' };

/** Clients that store, replace and delete files without a pause until they are stopped. */
export interface BusyClients {
  /** Lets each client end what it has begun. Throws what went wrong for one of them. */
  stop(): Promise<void>;
  /** The highest number of a file that was acknowledged over HTTP. */
  highestFileset(): number;
}

/** Starts clients over HTTP and SFTP that write down in the ledger what was acknowledged. */
export function startBusyClients(platform: RunningPlatform, ledger: Ledger): BusyClients {
  const over = new AbortController();
  let highest = 0;
  const noteFileset = ({ headers: answered }: HttpResponse): void => {
    highest = Math.max(highest, Number(answered.get('x-fileset')));
  };
  const work = [
    ...[1, 2, 3].map((client) => useHttp({ platform, ledger, over: over.signal, client, noteFileset })),
    ...[1, 2].map((client) => useSftp({ platform, ledger, over: over.signal, client })),
  ];
  const all = Promise.all(work);
  all.catch(() => over.abort());
  return {
    stop: async () => {
      over.abort();
      await all;
    },
    highestFileset: () => highest,
  };
}

interface Work {
  readonly platform: RunningPlatform;
  readonly ledger: Ledger;
  readonly over: AbortSignal;
  readonly client: number;
}

/** Stores files, of which it replaces or deletes some of the last ones. */
async function useHttp({
  platform,
  ledger,
  over,
  client,
  noteFileset,
}: Work & { noteFileset: (answer: HttpResponse) => void }): Promise<void> {
  const http = await platform.partner();
  const put = async (path: string): Promise<void> => {
    const body = someContent();
    await ledger.change([path], digestOf(body), async () => {
      const answer = await http.put(`/2.0/files${path}`, { body, headers });
      expectStatus(answer, 200, 201);
      noteFileset(answer);
    });
  };
  for (let count = 0; !over.aborted; count += 1) {
    const path = (number: number): string => `/data/http-${client}-${number}.bin`;
    await put(path(count));
    if (count % 3 === 2) await put(path(count - randomInt(2)));
    if (count % 4 === 3) {
      const removed = path(count - 3);
      await ledger.change([removed], undefined, async () =>
        expectStatus(await http.delete(`/2.0/files${removed}`), 200),
      );
    }
  }
}

/** Stores five files in a session, and removes one of the session before. */
async function useSftp({ platform, ledger, over, client }: Work): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-drill-'));
  const use = async (commands: readonly string[]): Promise<void> => {
    const { exitCode, stderr } = await runSftp({ ...platform.login, commands, timeoutMs: 60_000 });
    if (exitCode !== 0) throw new Error(`sftp ended with ${exitCode}: ${stderr}`);
  };
  try {
    for (let session = 0; !over.aborted; session += 1) {
      const content = someContent();
      const source = join(folder, 'source');
      await writeFile(source, content);
      const paths = [1, 2, 3, 4, 5].map((number) => `/data/sftp-${client}-${session}-${number}.bin`);
      await ledger.change(paths, digestOf(content), () => use(paths.map((path) => `put ${source} ${path}`)));
      const before = `/data/sftp-${client}-${session - 1}-1.bin`;
      if (session % 2 === 1) await ledger.change([before], undefined, () => use([`rm ${before}`]));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

function someContent(): Buffer<ArrayBuffer> {
  return Buffer.from(randomBytes(randomInt(4) === 0 ? randomInt(1, 2 ** 20) : randomInt(1, 10_000)));
}

export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function expectStatus({ status, text }: HttpResponse, ...expected: readonly number[]): void {
  if (!expected.includes(status)) throw new Error(`answered ${status}: ${text.slice(0, 200)}`);
}
