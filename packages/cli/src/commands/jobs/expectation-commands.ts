import {
  acknowledgeExpectationEndpoint,
  listExpectationsEndpoint,
} from '@waybill/contracts/endpoints/expectations/expectation-endpoints';
import { expectationStateSchema } from '@waybill/contracts/endpoints/expectations/expectation-view';
import type { Command } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import {
  choiceOf,
  choiceOption,
  givenTexts,
  jsonOption,
  neededOption,
  textOption,
} from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';
import { printable } from '../../platform/render-table.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** The number of states that are listed. */
const listedAtMost = 1_000;

/** Lists the files that are due, missing, late or unexpected. */
export const listExpectationsCommand: Command = {
  summary: 'Lists the files that are due, missing, late or unexpected.',
  examples: ['waybill expectation list --state missed', 'waybill expectation list --contract invoices --json'],
  options: {
    ...platformOptions,
    contract: textOption('name', 'Only expectations of this contract.'),
    expectation: textOption('name', 'Only the expectation of this name.'),
    state: choiceOption('state', expectationStateSchema.options, 'Only those in this state.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    const { values, out } = invocation;
    const wanted = choiceOf(values, 'state', expectationStateSchema.options);
    const query = { ...givenTexts(values, ['contract', 'expectation']), state: wanted, maxItems: listedAtMost };
    const { expectations, next } = await requestPlatform(invocation, listExpectationsEndpoint, { query });
    printRows(invocation, expectations, [
      ['NUMBER', ({ id }) => String(id)],
      ['EXPECTATION', ({ contract, expectation }) => `${contract}/${expectation}`],
      ['STATE', ({ state }) => state],
      ['DUE', ({ dueAt }) => dueAt],
      ['FILES', ({ files }) => String(files)],
      ['LAST FILE', ({ lastPath }) => lastPath ?? ''],
    ]);
    if (values['json'] !== true && next !== undefined) out(`These are the newest ${listedAtMost}.`);
  },
};

/** Acknowledges missing, late or unexpected files. */
export const acknowledgeExpectationCommand: Command = {
  summary: 'Acknowledges missing, late or unexpected files.',
  examples: [`waybill expectation acknowledge 17 --reason 'the partner has a public holiday'`],
  arguments: { number: 'The number in `waybill expectation list`.' },
  options: {
    ...platformOptions,
    reason: neededOption('text', 'Why; it is recorded in the audit log.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    const [number = ''] = invocation.positionals;
    const { reason = '' } = givenTexts(invocation.values, ['reason']);
    const request = { params: { id: number }, body: { reason } };
    const shown = await requestPlatform(invocation, acknowledgeExpectationEndpoint, request);
    const { contract, expectation, dueAt } = shown;
    printOne(invocation, shown, [
      printable(`${number} was acknowledged: ${contract}/${expectation}, due at ${dueAt}.`),
    ]);
  },
};
