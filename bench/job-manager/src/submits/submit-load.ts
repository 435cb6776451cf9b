import { quantile } from '@waybill/bench-filebox/quantile';
import { processorSecondsOfTree } from '@waybill/bench-sftp-gateway/processes/read-processor-seconds';
import { openKeepAliveClient, type RequestHead } from './keep-alive-client.ts';

/** A server that takes submissions, and the processes that work for it. */
export interface SubmitServer extends RequestHead {
  readonly name: string;
  readonly pid: number;
}

/** What a load has shown: milliseconds of latency, and of processor time for one submission. */
export interface SubmitFigures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly client: number;
  readonly node: number;
  readonly postgres: number;
  readonly redis: number;
}

/** The load and what is read around it. */
export interface SubmitLoad {
  readonly server: SubmitServer;
  readonly connections: number;
  readonly seconds: number;
  readonly postgresPid: number;
  readonly redisPid: number;
}

/** Before the figures count: connections are opened, code is compiled, statements are prepared. */
const warmUpSeconds = 3;

let submissions = 0;

/** Submits jobs, each with an `extIPID` of its own, on this many connections, one at a time on each. */
export async function measureSubmitLoad(load: SubmitLoad): Promise<SubmitFigures> {
  await submit(load, warmUpSeconds);
  const before = await readProcessorTimes(load);
  const startedAt = performance.now();
  const latencies = await submit(load, load.seconds);
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await readProcessorTimes(load);
  const [client = 0, node = 0, postgres = 0, redis = 0] = after.map(
    (time, index) => ((time - (before[index] ?? 0)) * 1_000) / latencies.length,
  );
  const perSecond = latencies.length / seconds;
  return { perSecond, p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95), client, node, postgres, redis };
}

async function submit({ server, connections }: SubmitLoad, seconds: number): Promise<number[]> {
  const endsAt = performance.now() + seconds * 1_000;
  const latencies: number[] = [];
  const submitOn = async (): Promise<void> => {
    using client = await openKeepAliveClient(server);
    while (performance.now() < endsAt) {
      submissions += 1;
      const body = JSON.stringify({
        contractName: 'bench',
        actionName: 'report',
        actionVariables: { name: `report-${submissions}`, text: 'All invoices of the month are in.' },
        extIPID: `order-${submissions}`,
      });
      const startedAt = performance.now();
      const answer = await client.post(body);
      latencies.push(performance.now() - startedAt);
      if (answer.status !== 201) throw new Error(`a submission was answered ${answer.status}: ${answer.body}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, submitOn));
  return latencies;
}

/** Of this process, the server, PostgreSQL and Redis, in seconds. */
async function readProcessorTimes({ server, postgresPid, redisPid }: SubmitLoad): Promise<number[]> {
  const { user, system } = process.cpuUsage();
  const others = [server.pid, postgresPid, redisPid].map(processorSecondsOfTree);
  return [(user + system) / 1e6, ...(await Promise.all(others))];
}
