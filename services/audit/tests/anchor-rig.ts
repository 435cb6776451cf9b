import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { runWitness } from '@waybill/witness/run-witness';
import { createAuditRig } from './audit-rig.ts';
import { someEvents } from './some-events.ts';

const run = promisify(execFile);
const waybill = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const tables = ['records', 'nodes', 'tree_head', 'log_keys', 'cosignatures'];

/** An audit service, and a state of its database and of the remembered checkpoint that can be put back. */
export async function createAnchorRig() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTestFolder());
  const rig = stack.use(await createAuditRig());
  stack.use(rig.startRelay());
  const memory = `${rig.signingKeyFile}.checkpoint`;
  const start = (anchors: string, overrides: Readonly<Record<string, string>> = {}) =>
    rig.start({ AUDIT_ANCHORS: anchors, AUDIT_ANCHOR_SECONDS: '0.05', ...overrides });
  const post = (count: number) => rig.send(someEvents(count, crypto.randomUUID()));
  const send = async (count: number) => {
    await post(count);
    await rig.recorded();
  };
  let savedMemory = '';
  const owned = stack.move();
  return {
    ...rig,
    folder: folder.path,
    memory,
    start,
    /** Sends events, and waits until they are recorded. */
    send,
    post,
    /** The origin and the verifier keys of the log. */
    keys: async () => {
      await using audit = await rig.start();
      const bearer = rig.token('Auditors');
      return (await audit.client.get('/platform-application/api/v1/audit/keys', { bearer })).text;
    },
    save: async () => {
      savedMemory = await readFile(memory, 'utf8');
      const copies = tables.map(
        (table) => `DROP TABLE IF EXISTS old_${table}; CREATE TABLE old_${table} AS TABLE audit.${table}`,
      );
      await rig.record.tamper(copies.join(';'));
    },
    /** The database, the signed head and the remembered checkpoint together. */
    putBack: async () => {
      await writeFile(memory, savedMemory);
      const copies = tables.map((table) => `TRUNCATE audit.${table}; INSERT INTO audit.${table} TABLE old_${table}`);
      await rig.record.tamper(copies.join(';'));
    },
    messages: (code: string) =>
      rig.record.db('audit.records').where('audit_code', code).orderBy('sequence').pluck<string[]>('audit_message'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What `createAnchorRig` makes. */
export type AnchorRig = Awaited<ReturnType<typeof createAnchorRig>>;

/** An HTTP endpoint that stores one checkpoint. `answer` replaces its behaviour. */
export async function startHttpAnchor(token: string) {
  const endpoint = {
    text: undefined as string | undefined,
    methods: [] as string[],
    answer: undefined as ((response: ServerResponse) => void) | undefined,
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      endpoint.methods.push(request.method ?? '');
      if (endpoint.answer) return endpoint.answer(response);
      if (request.headers.authorization !== `Bearer ${token}`) return response.writeHead(401).end();
      if (request.method === 'GET')
        return response.writeHead(endpoint.text === undefined ? 404 : 200).end(endpoint.text);
      endpoint.text = Buffer.concat(chunks).toString();
      return response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(endpoint, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/checkpoint`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

/** `waybill witness` for the log of a rig, in this process. */
export async function startWitness(rig: AnchorRig, name = 'witness.example/w1') {
  const file = (kind: string) => path.join(rig.folder, `${name.replace('/', '-')}-${kind}`);
  await writeFile(file('logs'), await rig.keys());
  const stateFile = file('state.json');
  const files = { keyFile: file('key.pem'), logsFile: file('logs'), stateFile };
  const options = { ...files, name, host: '127.0.0.1', logLevel: 'fatal' } as const;
  let witness = await runWitness({ ...options, port: 0 });
  const { port } = witness;
  const stop = () => witness[Symbol.asyncDispose]();
  return {
    name,
    verifierKey: witness.verifierKey,
    stateFile,
    anchor: `witness+http://127.0.0.1:${port}?key=${witness.verifierKey}`,
    url: `http://127.0.0.1:${port}`,
    size: async (): Promise<number> =>
      Number(/"waybill\/[^"]+?\\n(\d+)\\n/u.exec(await readFile(stateFile, 'utf8'))?.[1]),
    stop,
    restart: async () => {
      witness = await runWitness({ ...options, port });
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** The size in a checkpoint; NaN without one. */
export const sizeOf = (note: string | undefined): number => Number(note?.split('\n')[1]);

/** `waybill audit accept-restore` with these settings. */
export function acceptRestore(rig: AnchorRig, env: Readonly<Record<string, string>>) {
  const args = [waybill, 'audit', 'accept-restore', '--reason', 'disk failure'];
  return run(process.execPath, args, { env: spawnEnvironment({ ...rig.env, ...env }) });
}
