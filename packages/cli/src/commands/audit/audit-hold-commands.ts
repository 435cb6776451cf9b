import {
  listAuditHoldsEndpoint,
  placeAuditHoldEndpoint,
  releaseAuditHoldEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/audit-hold-endpoints';
import { type Command, UsageError } from '../../command.ts';
import { platformOptions, requestPlatform } from '../request-platform.ts';

const text = { type: 'string' } as const;

/** Places audit records on legal hold. */
export const holdAuditCommand: Command = {
  summary: 'Places audit records on legal hold: retention leaves them and all later ones.',
  usage: `[--first <number>] [--last <number>] [--from <time>] [--to <time>] --reason <text>`,
  positionals: [],
  options: { ...platformOptions, first: text, last: text, from: text, to: text, reason: text },
  run: async ({ values, out, env }) => {
    const { from, to } = values;
    const { method, path, responses } = placeAuditHoldEndpoint;
    const bounds = { first: numberOf(values['first']), last: numberOf(values['last']), from, to };
    const request = { method, path, body: { ...bounds, reason: reasonOf(values) } };
    const { id } = await requestPlatform({ values, env }, { ...request, response: responses[200].body.schema });
    out(`The hold ${id} was placed.`);
  },
};

/** Releases a legal hold. */
export const releaseAuditCommand: Command = {
  summary: 'Releases a legal hold of audit records.',
  usage: `<hold> --reason <text>`,
  positionals: ['hold'],
  options: { ...platformOptions, reason: text },
  run: async ({ values, positionals: [hold = ''], out, env }) => {
    const { method, path, responses } = releaseAuditHoldEndpoint;
    const request = { method, path: path.replace(':id', encodeURIComponent(hold)), body: { reason: reasonOf(values) } };
    await requestPlatform({ values, env }, { ...request, response: responses[200].body.schema });
    out(`The hold ${hold} was released.`);
  },
};

/** Lists legal holds. */
export const listAuditHoldsCommand: Command = {
  summary: 'Lists the legal holds of audit records.',
  usage: '',
  positionals: [],
  options: platformOptions,
  run: async ({ values, out, env }) => {
    const { method, path, responses } = listAuditHoldsEndpoint;
    const { holds } = await requestPlatform({ values, env }, { method, path, response: responses[200].body.schema });
    for (const hold of holds) out(JSON.stringify(hold));
  },
};

function reasonOf({ reason }: Readonly<Record<string, string | boolean | undefined>>): string {
  if (typeof reason !== 'string') throw new UsageError('give --reason <text>: it is recorded');
  return reason;
}

function numberOf(value: string | boolean | undefined): number | undefined {
  return typeof value === 'string' ? Number(value) : undefined;
}
