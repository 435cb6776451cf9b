import { setTimeout as delay } from 'node:timers/promises';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { BenchAction } from './bench-jobs-configuration.ts';
import type { BenchJobs } from './start-bench-jobs.ts';
import type { Submitter } from './submit-over-http.ts';

/** What a job of the load is to come to. */
export interface Expected {
  readonly name: string;
  readonly status: 'COMPLETED' | 'ERROR';
  /** The files that it writes, each once. */
  readonly files: readonly string[];
}

/** One in six is a file that arrives, one in twenty fails by design, one in four has two steps. */
export function planLoad(count: number): Expected[] {
  return Array.from({ length: count }, (_, index) => expectedOf(`job-${index}`, kindOf(index)));
}

/** Creates all jobs, a burst each second, so that workers have several at a time, and repeats each attempt until it is answered. */
export async function createLoad(
  jobs: BenchJobs,
  submitter: Submitter,
  { plan, perSecond }: { plan: readonly Expected[]; perSecond: number },
): Promise<void> {
  const startedAt = performance.now();
  let next = 0;
  const createSome = async (): Promise<void> => {
    for (let index = next++; index < plan.length; index = next++) {
      await delay(Math.max(0, startedAt + Math.floor(index / perSecond) * 1_000 - performance.now()));
      const name = `job-${index}`;
      const kind = kindOf(index);
      if (kind === 'arrival') await deliver(jobs, name);
      else await submitter.submit(kind, name);
    }
  };
  await Promise.all(Array.from({ length: 8 }, createSome));
}

function kindOf(index: number): BenchAction | 'arrival' {
  if (index % 6 === 5) return 'arrival';
  if (index % 40 === 20) return 'absent';
  if (index % 40 === 0) return 'nowhere';
  return index % 4 === 3 ? 'two' : 'write';
}

function expectedOf(name: string, kind: BenchAction | 'arrival'): Expected {
  const files = {
    write: [`/out/${name}.txt`],
    two: [`/out/${name}.txt`, `/out/${name}.txt.gz`],
    arrival: [`/out/${name}.csv.gz`],
    absent: [],
    nowhere: [],
  }[kind];
  return { name, status: files.length === 0 ? 'ERROR' : 'COMPLETED', files };
}

const partner = {
  userName: userNameSchema.parse('bench'),
  actorName: 'bench',
  clusterName: 'cluster1',
  peerName: 'peer1',
  serverName: 'sftp-server',
  protocol: 'SFTP',
} as const;

/** A file of a partner. An attempt without an answer may have delivered it: that is looked up. */
async function deliver({ filebox, vfsId }: BenchJobs, name: string): Promise<void> {
  const path = parseVirtualPath(`/in/${name}.csv`);
  for (;;) {
    try {
      if ((await filebox.find(vfsId, path)) !== undefined) return;
      await using upload = await filebox.beginUpload(vfsId, path, { origin: partner, overwrite: true });
      await upload.write(Buffer.from(name), 0);
      await upload.commit();
      return;
    } catch {
      await delay(200);
    }
  }
}
