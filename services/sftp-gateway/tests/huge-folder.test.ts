import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGatewayRig, type GatewayRig } from './gateway-rig.ts';
import { fillFolder, nextNames, openFolder } from './large-folder.ts';
import { connectRawSftp } from './raw-sftp-client.ts';
import { startGatewayProcess, type GatewayProcess } from './start-gateway-process.ts';

const files = 100_000;
const mebibyte = 1024 * 1024;
let rig: GatewayRig;
let gateway: GatewayProcess;

beforeAll(async () => {
  rig = await createGatewayRig();
  gateway = await startGatewayProcess(rig.environmentOf('peer1'));
  await fillFolder(rig, "'file-' || lpad(n::text, 8, '0')", files);
  await rig.database.query('ANALYZE filebox.entries');
});

afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});

/** The used heap of the gateway, including garbage. */
async function usedBytes(): Promise<number> {
  const { text } = await createHttpClient(gateway.httpUrl).get('/metrics');
  return Number(/^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)$/mu.exec(text)?.[1]);
}

/**
 * Reads the folder to its end; `onPage` is called with the names of each page. Returns the minimum of used heap in each
 * half: what remains after garbage collections.
 */
async function list(onPage: (names: string[], page: number) => Promise<void>): Promise<[number, number]> {
  await using client = await connectRawSftp({ port: gateway.sftpPort, user: 'globex' });
  const handle = await openFolder(client, '/data');
  const samples: number[] = [];
  let page = 0;
  for (let names = await nextNames(client, handle); names.length > 0; names = await nextNames(client, handle)) {
    page += 1;
    await onPage(names, page);
    if (page % 5 === 0) samples.push(await usedBytes());
  }
  const half = samples.length / 2;
  return [Math.min(...samples.slice(0, half)), Math.min(...samples.slice(half))];
}

test('a folder of a hundred thousand is listed in constant memory, each name once, while others change it', async () => {
  let seen = 0;
  let last = '';
  let disorder = 0;
  const [first, second] = await list(async (names, page) => {
    for (const name of names) {
      if (name <= last) disorder += 1;
      last = name;
    }
    seen += names.length;
    // One is removed before the cursor and one far after it, and one is added before it.
    if (page % 25 !== 0 || page > 200) return;
    const gone = [page, files - page].map((number) => `file-${String(number).padStart(8, '0')}`);
    await rig.database.query('DELETE FROM filebox.entries WHERE name = ANY($1)', [gone]);
    await fillFolder(rig, `'aaa-${page}-' || n`, 1);
  });
  expect(disorder).toBe(0);
  expect(seen).toBe(files - 8);
  // Keeping half of the entries would take 12 MiB and more.
  expect(second - first).toBeLessThan(8 * mebibyte);
});
