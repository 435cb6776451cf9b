import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { expect, it } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';

const lines = '{"name":"a\u009b2J\u202eb"}\r\n"c\u001b]0;pwned\u0007","é"\nlast\u001b[2J';

/** What the export of a platform with these lines writes to an output. */
async function exported(isTTY: boolean): Promise<string> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await createTestFolder());
  const token = path.join(folder.path, 'token.txt');
  await writeFile(token, 'a-token\n');
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8', 'x-audit-checkpoint': 'bm9uZQ==' });
    // Not even a character that comes in two pieces changes.
    const bytes = Buffer.from(lines);
    const middle = bytes.indexOf('é') + 1;
    response.write(bytes.subarray(0, middle));
    setImmediate(() => response.end(bytes.subarray(middle)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const output = Object.assign(new PassThrough(), { isTTY });
  const errors: string[] = [];
  const args = ['audit', 'export', '--format', 'csv', '--url', url, '--token', token];
  const env = { HOME: folder.path };
  const code = await runCommandLine(args, { env, output, out: () => {}, err: (line) => errors.push(line) });
  expect([code, errors]).toEqual([0, []]);
  output.end();
  return await text(output);
}

it('an export of the audit log moves no cursor of a terminal, and is otherwise as the platform has sent it', async () => {
  expect(await exported(true)).toBe('{"name":"a?2J?b"}\n"c?]0;pwned?","é"\nlast?[2J');
  expect(await exported(false)).toBe(lines);
});
