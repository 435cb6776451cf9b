import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { grantsOf } from '@waybill/access/principal';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConfigurationProcesses } from '../src/adapters/administration/configuration-process.ts';

/** A PostgreSQL that accepts connections and never answers. */
let connections = 0;
const silent = createServer(() => {
  connections += 1;
});
const program = fileURLToPath(new URL('../src/adapters/administration/configuration-program.ts', import.meta.url));
let url: string;
beforeAll(async () => {
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  url = `postgres://waybill@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/waybill`;
});
afterAll(() => {
  silent.close();
});

const order = () => ({
  call: {
    kind: 'apply' as const,
    planId: '0b0c0d0e-0000-4000-8000-000000000000',
    by: { userName: userNameSchema.parse('admin'), grants: grantsOf(['Administrators']), actors: undefined },
  },
  url,
  at: { nodeId: 'node1', managerName: 'manager1' },
  client: {},
});

/** The events of the last order. */
const events: string[] = [];

/** What becomes of an order. `isInForce`: what PostgreSQL tells of its plan afterwards. */
async function failureOf(env: Record<string, string>, seconds: number, isInForce?: boolean) {
  events.length = 0;
  const surroundings = {
    isInForce: async () => isInForce,
    configurationProcessStarted: (call: string) => events.push(`${call} started`),
    configurationProcessEnded: (call: string, outcome: string) => events.push(`${call} ${outcome}`),
  };
  const limits = { heapMebibytes: 64, seconds };
  await using processes = openConfigurationProcesses({ ...process.env, ...env }, limits, surroundings);
  return await processes.run(order(), new AbortController().signal).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('the process of a configuration', () => {
  it('is ended when it takes too long, which the error says', async () => {
    expect(await failureOf({}, 3, false)).toMatchObject({
      code: 'configuration_too_large',
      message: 'The configuration was given up: it takes more than 3 s (CONFIGURATION_SECONDS)',
    });
    expect(events).toEqual(['apply started', 'apply timed_out']);
  });

  it('that is ended claims nothing of its plan that is not known', async () => {
    expect(await failureOf({}, 1, true)).toMatchObject({
      message: expect.stringMatching(/^The plan is in force, but was not completed: it takes more than 1 s/u),
    });
    expect(await failureOf({}, 1)).toMatchObject({
      message: expect.stringMatching(/^It is not known whether the plan is in force: apply it again to find out: it/u),
    });
    const died = await failureOf({ NODE_OPTIONS: '--no-such-option' }, 60);
    expect(died).toMatchObject({ code: 'internal_error', message: expect.stringContaining('It is not known') });
    expect(events).toEqual(['apply started', 'apply died']);
  });

  it('ends if the manager has ended while it was started, with its whole order in the pipe', async () => {
    const child = fork(program, [], { stdio: ['pipe', 'ignore', 'ignore', 'ipc', 'pipe'] });
    const exit = once(child, 'exit');
    const before = connections;
    child.disconnect();
    child.stdin?.end(serialize(order()));
    expect(await exit).toEqual([null, 'SIGKILL']);
    expect(connections).toBe(before);
  });

  it('that does not even start is a fault of the platform, and no limit', async () => {
    const failure = await failureOf({ NODE_OPTIONS: '--no-such-option' }, 60, false);
    expect(failure).toMatchObject({ message: 'The process of a configuration has ended without an answer (9)' });
    expect(isCodedError(failure)).toBe(false);
  });
});
