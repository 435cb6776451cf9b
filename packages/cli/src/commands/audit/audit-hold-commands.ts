import {
  listAuditHoldsEndpoint,
  placeAuditHoldEndpoint,
  releaseAuditHoldEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/audit-hold-endpoints';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { givenTexts, textOption } from '../../platform/option-values.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Places audit records on legal hold. */
export const holdAuditCommand: Command = {
  summary: 'Places audit records on legal hold: retention leaves them and all later ones.',
  usage: `[--first <number>] [--last <number>] [--from <time>] [--to <time>] --reason <text>`,
  examples: [`waybill audit hold --from 2026-03-01T00:00:00Z --reason 'case 4711'`],
  positionals: [],
  options: {
    ...platformOptions,
    first: textOption,
    last: textOption,
    from: textOption,
    to: textOption,
    reason: textOption,
  },
  run: async ({ values, out, env }) => {
    const { first, last, ...times } = givenTexts(values, ['first', 'last', 'from', 'to']);
    const body = { first: numberOf(first), last: numberOf(last), ...times, reason: reasonOf(values) };
    const { id } = await requestPlatform({ values, env }, placeAuditHoldEndpoint, { body });
    out(`The hold ${id} was placed.`);
  },
};

/** Releases a legal hold. */
export const releaseAuditCommand: Command = {
  summary: 'Releases a legal hold of audit records.',
  usage: `<hold> --reason <text>`,
  examples: [`waybill audit release 019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f --reason 'case 4711 is closed'`],
  positionals: ['hold'],
  options: { ...platformOptions, reason: textOption },
  run: async ({ values, positionals: [hold = ''], out, env }) => {
    const request = { params: { id: hold }, body: { reason: reasonOf(values) } };
    await requestPlatform({ values, env }, releaseAuditHoldEndpoint, request);
    out(`The hold ${hold} was released.`);
  },
};

const pageSize = 1_000;

/** Lists legal holds. */
export const listAuditHoldsCommand: Command = {
  summary: 'Lists the legal holds of audit records.',
  usage: '',
  examples: ['waybill audit holds | jq .reason'],
  positionals: [],
  options: platformOptions,
  run: async ({ values, out, env }) => {
    let cursor: string | undefined;
    do {
      const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) };
      const { holds, next } = await requestPlatform({ values, env }, listAuditHoldsEndpoint, { query });
      for (const hold of holds) out(JSON.stringify(hold));
      cursor = next === undefined ? undefined : holds.at(-1)?.id;
    } while (cursor !== undefined);
  },
};

function reasonOf({ reason }: Invocation['values']): string {
  if (typeof reason !== 'string') throw new UsageError('give --reason <text>: it is recorded');
  return reason;
}

function numberOf(value: string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
