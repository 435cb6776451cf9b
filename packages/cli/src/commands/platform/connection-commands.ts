import { listConnectionHealthEndpoint } from '@waybill/contracts/endpoints/connections/list-connection-health';
import type { Command } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { jsonOption } from '../../platform/option-values.ts';
import { printRows } from '../../platform/print-rows.ts';

/** Shows how client connections do. */
export const connectionHealthCommand: Command = {
  summary:
    'Shows how client connections do: whether the other side is left alone, the last success and the last failure, for each worker.',
  examples: ['waybill connections health'],
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { connections } = (await client.call(listConnectionHealthEndpoint)).body;
    const rows = connections.flatMap(({ workers, ...connection }) =>
      (workers.length === 0 ? [undefined] : workers).map((at) => ({ ...connection, at })),
    );
    printRows(invocation, rows, [
      ['CONNECTION', ({ name }) => name],
      ['TYPE', ({ type }) => type],
      ['STATE', ({ state, enabled }) => (enabled ? state : 'Disabled')],
      ['WORKER', ({ at }) => at?.worker ?? '-'],
      ['CIRCUIT', ({ at }) => at?.circuit ?? '-'],
      ['OPEN', ({ at }) => (at ? String(at.inUse + at.idle) : '-')],
      ['LAST SUCCESS', ({ at }) => at?.lastSuccessAt ?? '-'],
      ['LAST FAILURE', ({ at }) => (at?.lastFailure ? `${at.lastFailure.at} ${at.lastFailure.message}` : '-')],
    ]);
  },
};
