import { createKnexJobRegister } from '@waybill/job-manager/adapters/jobs/knex-job-register';
import { countDown, type Engine } from './engine.ts';
import { noopJobIn, openNoopEngine } from './noop-engine.ts';

const queue = { name: 'bench', parallelism: 1_000 };
const site = { managerName: 'manager1', nodeName: 'bench' };

/** Ours: each job with its history, an audit record, an idempotency key, one step with its result, a lease and a fence. */
export async function openWaybill(url: string): Promise<Engine> {
  const engine = await openNoopEngine(url);
  const register = createKnexJobRegister(engine.db, { site });
  return {
    name: 'Waybill, with history, audit record and idempotency key',
    add: async (index) => {
      await register.add({ ...noopJobIn(queue.name), extIPID: String(index) });
    },
    runAll: async (count, concurrency) => {
      const { over, tick } = countDown(count);
      await using _running = await engine.run(concurrency, [queue], tick);
      await over;
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}
