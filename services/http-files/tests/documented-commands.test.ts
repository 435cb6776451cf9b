import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileEndpoints } from '@waybill/contracts/endpoints/files/file-endpoints';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { expect, test } from 'vitest';
import { onePeer } from './test-peers.ts';

const page = new URL('../../../docs/http-files.md', import.meta.url);

/** Notes the status of every response besides what the commands of the page do with it. */
const recordingCurl = `curl() { command curl -w '%{stderr}%{http_code} %{method} %{url}\\n' "$@" 2>> "$statuses"; }`;

/** They read what other services keep. `tests/end-to-end/own-account.test.ts` runs their commands and those of operators. */
const ofWholePlatform = ['listOwnSessions', 'endOwnSession', 'listOwnTransfers'];

/** They need the codes of an app. */
const ofSecondFactors = [
  'beginOwnSecondFactor',
  'confirmOwnSecondFactor',
  'findOwnSecondFactor',
  'removeOwnSecondFactor',
  'renewOwnRecoveryCodes',
];

const site = onePeer();

async function documentedCommands(): Promise<string> {
  const text = await readFile(page, 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gmsu)].map(([, block = '']) => block);
  return blocks
    .filter((block) => !/\/2\.0\/account\/(?:sessions|transfers)|\/http-sessions|\/unfinished-uploads/u.test(block))
    .join('\n');
}

/** Runs all commands of the page, one after the other, against the peer. */
async function runPage(): Promise<{ printed: string; answers: string[] }> {
  await using folder = await createTestFolder().then((made) => ({ ...made, [Symbol.asyncDispose]: made.remove }));
  const statuses = join(folder.path, 'statuses');
  const script = ['set -euo pipefail', recordingCurl, await documentedCommands()].join('\n');
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-c', script.replaceAll('http://127.0.0.1:8080', site.peer.url)],
    {
      cwd: folder.path,
      env: { ...process.env, statuses },
    },
  );
  const answers = (await readFile(statuses, 'utf8')).trim().split('\n');
  return { printed: stdout, answers: answers.map((line) => line.replace(site.peer.url, '')) };
}

test('every command of the page works as described, and every endpoint has one', async () => {
  await site.rig.database.query(
    `INSERT INTO directory.account_policies (name, definition) VALUES ('default', '{"name":"default","sshKeys":{"allowed":true}}')`,
  );
  const { printed, answers } = await runPage();
  expect(answers.filter((answer) => !answer.startsWith('2'))).toEqual([
    '412 PUT /2.0/files/inbox/invoice.csv',
    '404 GET /2.0/files/inbox/nothing.csv',
  ]);
  expect(printed).toMatch(/^upload-offset: 17\r$/imu);
  expect(printed).toMatch(/^x-fileset: \d+\r$/imu);
  expect(printed).toContain('id,amount\n1,9.50\n');
  expect(printed).toMatch(/^idempotency-replayed: true\r$/imu);
  expect(printed).toContain('genuine {"iss":');
  const called = new Set(site.peer.logLines.map((line) => (JSON.parse(line) as { endpoint?: string }).endpoint));
  expect(
    fileEndpoints
      .map(({ id }) => id)
      .filter((id) => !called.has(id))
      .toSorted(),
  ).toEqual([...ofWholePlatform, ...ofSecondFactors].toSorted());
});
