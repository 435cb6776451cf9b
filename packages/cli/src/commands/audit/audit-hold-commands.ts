import type { AuditHold } from '@waybill/contracts/endpoints/audit-logs/audit-hold';
import {
  listAuditHoldsEndpoint,
  placeAuditHoldEndpoint,
  releaseAuditHoldEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/audit-hold-endpoints';
import type { Command } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { givenTexts, jsonOption, neededOption, textOption } from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';
import { printable } from '../../platform/render-table.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** Places audit records on legal hold. */
export const holdAuditCommand: Command = {
  summary: 'Places audit records on legal hold: retention leaves them and all later ones.',
  examples: [`waybill audit hold --from 2026-03-01T00:00:00Z --reason 'case 4711'`],
  options: {
    ...platformOptions,
    first: textOption('number', 'The number of the first record.'),
    last: textOption('number', 'The number of the last record.'),
    from: textOption('time', 'The time of the first record (ISO 8601).'),
    to: textOption('time', 'The time of the last record (ISO 8601).'),
    reason: neededOption('text', 'Why; it is recorded in the audit log.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    const { values } = invocation;
    const { first, last, ...times } = givenTexts(values, ['first', 'last', 'from', 'to']);
    const body = { first: numberOf(first), last: numberOf(last), ...times, reason: String(values['reason']) };
    const hold = await requestPlatform(invocation, placeAuditHoldEndpoint, { body });
    printOne(invocation, hold, [`The hold ${hold.id} was placed.`]);
  },
};

/** Releases a legal hold. */
export const releaseAuditCommand: Command = {
  summary: 'Releases a legal hold of audit records.',
  examples: [`waybill audit release 019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f --reason 'case 4711 is closed'`],
  arguments: { hold: 'The id of the hold.' },
  options: {
    ...platformOptions,
    reason: neededOption('text', 'Why; it is recorded in the audit log.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    const [id = ''] = invocation.positionals;
    const request = { params: { id }, body: { reason: String(invocation.values['reason']) } };
    await requestPlatform(invocation, releaseAuditHoldEndpoint, request);
    printOne(invocation, { id, released: true }, [printable(`The hold ${id} was released.`)]);
  },
};

const pageSize = 1_000;

/** Lists legal holds. */
export const listAuditHoldsCommand: Command = {
  summary: 'Lists the legal holds of audit records.',
  examples: ['waybill audit holds', 'waybill audit holds --json | jq .reason'],
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    const found: AuditHold[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) };
      const { holds, next } = await requestPlatform(invocation, listAuditHoldsEndpoint, { query });
      found.push(...holds);
      cursor = next === undefined ? undefined : holds.at(-1)?.id;
    } while (cursor !== undefined);
    printRows(invocation, found, [
      ['HOLD', ({ id }) => id],
      ['RECORDS', ({ first, last }) => rangeOf(first, last)],
      ['TIMES', ({ from, to }) => rangeOf(from, to)],
      ['BY', ({ placedBy }) => placedBy],
      ['SINCE', ({ placedAt }) => placedAt],
      ['REASON', ({ reason }) => reason],
    ]);
  },
};

function rangeOf(from: string | number | undefined, to: string | number | undefined): string {
  return from === undefined && to === undefined ? 'all' : `${from ?? ''} to ${to ?? ''}`.trim();
}

function numberOf(value: string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
