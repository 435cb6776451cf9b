import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { deserialize } from 'node:v8';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { withClient } from '@waybill/service-kit/telemetry/correlation';
import type { Configurations } from '../../domain/administration/configurations.ts';
import {
  type ConfigurationCall,
  type ConfigurationOrder,
  failedAnswer,
  writeAnswer,
} from './configuration-messages.ts';
import { answerDescriptor, configurationPoolSize } from './configuration-process.ts';
import { createConfigurations } from './open-configurations.ts';

/*
 * Works at one configuration: reads a ConfigurationOrder from its standard input, and writes the answer. It ends with the process
 * that has started it, which kills it if it takes too long: PostgreSQL then rolls back.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// It may have ended before the event could be heard, with the whole order already in the pipe.
if (!process.connected) process.kill(process.pid, 'SIGKILL');
// A signal to the group of processes is for the one that has started it.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});
// If the memory of a container is used up, this process goes first. Not every kernel has the file.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {});

const answer = await work().catch(failedAnswer);
await pipeline(Readable.from([writeAnswer(answer)]), createWriteStream('', { fd: answerDescriptor }));
// Which ends it, with whatever is still open.
process.disconnect();

async function work(): Promise<{ readonly result: unknown }> {
  // What comes from this program itself is not examined again.
  const { call, url, at, client } = deserialize(await buffer(process.stdin)) as ConfigurationOrder;
  const db = connectPostgres({ url, poolSize: configurationPoolSize, applicationName: 'waybill job-manager' });
  try {
    const committed = (): void => void process.send?.({ committed: true });
    const configurations = createConfigurations(db, at, { committed });
    return { result: await withClient(client, () => make(configurations, call)) };
  } finally {
    await db.destroy();
  }
}

function make(configurations: Configurations, call: ConfigurationCall): Promise<unknown> {
  if (call.kind === 'plan') return configurations.plan(call.given, call.by);
  if (call.kind === 'apply') return configurations.apply(call.planId, call.by);
  if (call.kind === 'validate') return configurations.validate(call.given, call.by);
  return configurations.export(call.wanted, call.by);
}
