import {
  acknowledgeExpectationEndpoint,
  listExpectationsEndpoint,
} from '@waybill/contracts/endpoints/expectations/expectation-endpoints';
import type { ExpectationView } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { type Command, UsageError } from '../../command.ts';
import { platformOptions, requestPlatform } from '../request-platform.ts';

const text = { type: 'string' } as const;

/** The number of states that are listed. */
const listedAtMost = 1_000;

/** Lists the files that are due, missing, late or unexpected. */
export const listExpectationsCommand: Command = {
  summary: 'Lists the files that are due, missing, late or unexpected.',
  usage: `[--contract <name>] [--expectation <name>] [--state <state>] [--json]`,
  positionals: [],
  options: { ...platformOptions, contract: text, expectation: text, state: text, json: { type: 'boolean' } },
  run: async ({ values, out, env }) => {
    const query = new URLSearchParams({ maxItems: String(listedAtMost) });
    for (const name of ['contract', 'expectation', 'state']) {
      const value = values[name];
      if (typeof value === 'string') query.set(name, value);
    }
    const { method, path, responses } = listExpectationsEndpoint;
    const { expectations, next } = await requestPlatform(
      { values, env },
      { method, path: `${path}?${query.toString()}`, response: responses[200].body.schema },
    );
    for (const state of expectations) out(values['json'] === true ? JSON.stringify(state) : describeState(state));
    if (values['json'] === true) return;
    if (expectations.length === 0) out('There are none.');
    else if (next !== undefined) out(`These are the newest ${listedAtMost}.`);
  },
};

/** Acknowledges missing, late or unexpected files. */
export const acknowledgeExpectationCommand: Command = {
  summary: 'Acknowledges missing, late or unexpected files.',
  usage: `<number> --reason <text>`,
  positionals: ['number'],
  options: { ...platformOptions, reason: text },
  run: async ({ values, positionals: [number = ''], out, env }) => {
    const { reason } = values;
    if (typeof reason !== 'string') throw new UsageError('give --reason <text>: it is recorded');
    const { method, path, responses } = acknowledgeExpectationEndpoint;
    const request = { method, path: path.replace(':id', encodeURIComponent(number)), body: { reason } };
    const shown = await requestPlatform({ values, env }, { ...request, response: responses[200].body.schema });
    out(`${number} was acknowledged: ${shown.contract}/${shown.expectation}, due at ${shown.dueAt}.`);
  },
};

function describeState({ id, contract, expectation, state, dueAt, files, lastPath }: ExpectationView): string {
  const last = lastPath === null ? '' : `, the last one ${JSON.stringify(lastPath)}`;
  return `${id}  ${contract}/${expectation}  ${state}  due ${dueAt}  ${files} files${last}`;
}
