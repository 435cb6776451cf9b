import { quantile } from '@waybill/bench-filebox/quantile';
import { smallContent } from './bench-setting.ts';
import { openSftpSession, type SftpLogin, type SftpSession } from './open-sftp-session.ts';

/** Milliseconds of one kind of operation, in one session. */
export interface Latency {
  readonly operation: string;
  readonly p50: number;
  readonly p95: number;
}

type Step = (session: SftpSession, path: string, index: number) => Promise<void>;

/** In this order: each step uses the results of the previous ones. */
const steps: Readonly<Record<string, Step>> = {
  mkdir: (session, path) => session.makeFolder(path),
  'create and close': (session, path) => session.create(`${path}.empty`),
  'create with 4 KiB': (session, path) => session.create(`${path}.full`, smallContent),
  stat: (session, path) => session.stat(`${path}.full`),
  utime: (session, path, index) => session.setTimes(`${path}.full`, 1_700_000_000 + index),
  rename: (session, path) => session.rename(`${path}.full`, `${path}.renamed`),
  remove: (session, path) => session.remove(`${path}.renamed`),
};

/** Runs each operation this many times, one after the other, in an existing folder. */
export async function measureLatencies(login: SftpLogin, folder: string, times: number): Promise<Latency[]> {
  await using session = await openSftpSession(login);
  const measured: Latency[] = [];
  for (const [operation, step] of Object.entries(steps)) {
    const took: number[] = [];
    for (let index = 0; index < times; index += 1) {
      const startedAt = performance.now();
      await step(session, `${folder}/${index}`, index);
      took.push(performance.now() - startedAt);
    }
    measured.push({ operation, p50: quantile(took, 0.5), p95: quantile(took, 0.95) });
  }
  return measured;
}
