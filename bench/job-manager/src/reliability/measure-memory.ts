import { randomFillSync } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createLoginKey } from '@waybill/bench-sftp-gateway/servers/create-login-key';
import { startOpensshServer } from '@waybill/bench-sftp-gateway/servers/start-openssh-server';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openDirectory } from '@waybill/directory/open-directory';
import { createKnexJobRegister } from '@waybill/job-manager/adapters/jobs/knex-job-register';
import { createSubmitJob } from '@waybill/job-manager/submit-job';
import { startGnupg } from '@waybill/test-kit/gnupg/start-gnupg';
import { forgetPeak, memoryOf } from '@waybill/test-kit/processes/memory-of';
import { applyMemoryWorkflow, memoryActions, memoryContract, memoryEnvironment } from './memory-workflow.ts';
import { startBenchJobs } from './start-bench-jobs.ts';

// The memory of a worker while one file is compressed, encrypted and sent to OpenSSH: `node measure-memory.ts [--mebibytes n] [--content zeros]`.
const { values } = parseArgs({
  options: { mebibytes: { type: 'string', default: '5120' }, content: { type: 'string', default: 'random' } },
});
const mebibytes = Number(values.mebibytes);
const isRandom = values.content === 'random';
/** Above what the worker has when it is idle. */
const budgetMebibytes = 150;
const chunk = Buffer.alloc(1024 * 1024);

await using cleanUp = new AsyncDisposableStack();
const jobs = cleanUp.use(await startBenchJobs());
const serverFolder = join(jobs.folder, 'server');
await mkdir(serverFolder);
const key = await createLoginKey(serverFolder);
const server = cleanUp.use(await startOpensshServer(serverFolder, key));
const gnupg = cleanUp.use(await startGnupg());
const partner = await gnupg.generate('partner@acme.test', 'ecc');
await applyMemoryWorkflow(jobs.db, {
  server,
  privateKey: await readFile(key.identityFile, 'utf8'),
  hostKey: (await readFile(join(serverFolder, 'host-key.pub'), 'utf8')).split(' ').slice(0, 2).join(' '),
  pgpKey: partner.publicKey,
});
const register = createKnexJobRegister(jobs.db, { site: { managerName: 'manager1', nodeName: 'bench' } });
const submitJob = createSubmitJob({ directory: openDirectory({ db: jobs.db }), register });

await storeFile();
const { pid } = await jobs.start('worker', { ROLE: 'worker', ...memoryEnvironment });
await run('write');
const idle = (await memoryOf(pid)).now;
print(`${mebibytes} MiB of ${isRandom ? 'random bytes' : 'zeros'}, compressed, encrypted and sent; RSS in MiB`);
print(`idle worker   ${idle.toFixed(0).padStart(5)}`);
let most = 0;
for (const step of memoryActions) {
  await forgetPeak(pid);
  const startedAt = performance.now();
  await run(step);
  const { peak } = await memoryOf(pid);
  most = Math.max(most, peak - idle);
  const seconds = (performance.now() - startedAt) / 1_000;
  print(
    `${step.padEnd(13)} ${peak.toFixed(0).padStart(5)}, ${(peak - idle).toFixed(0)} more than idle, ${seconds.toFixed(0)} s`,
  );
}
const isMet = most <= budgetMebibytes;
print(`at most ${most.toFixed(0)} more than idle; budget ${budgetMebibytes}: ${isMet ? 'met' : 'NOT MET'}`);
if (!isMet) process.exitCode = 1;

async function storeFile(): Promise<void> {
  const origin = {
    userName: userNameSchema.parse('bench'),
    actorName: 'bench',
    clusterName: 'manager1',
    peerName: 'bench',
    serverName: 'sftp-server',
    protocol: 'SFTP',
  } as const;
  const path = parseVirtualPath('/in/big');
  await using upload = await jobs.filebox.beginUpload(jobs.vfsId, path, { origin, overwrite: true });
  for (let index = 0; index < mebibytes; index += 1) {
    if (isRandom) randomFillSync(chunk);
    await upload.write(chunk, index * chunk.length);
  }
  await upload.commit();
}

/** Runs a job of this action to its end. */
async function run(actionName: string): Promise<void> {
  const userName = userNameSchema.parse('admin');
  const submission = { userName, contractName: memoryContract, actionName, actionVariables: {} };
  const { id } = (await submitJob(submission)).job;
  for (;;) {
    const { rows } = await jobs.db.raw<{ rows: { status: string; message: string }[] }>(
      'SELECT status, status_message AS message FROM jobs.ended WHERE job_id = ?',
      [id],
    );
    const [ended] = rows;
    if (ended?.status === 'COMPLETED') return;
    if (ended) throw new Error(`the job ${actionName} has failed: ${ended.message}`);
    await delay(200);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
