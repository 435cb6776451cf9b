import { setTimeout as delay } from 'node:timers/promises';
import { endRunningTransferEndpoint } from '@waybill/contracts/endpoints/server-sessions/end-running-transfer';
import { listRunningTransfersEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-running-transfers';
import type { RunningTransferView } from '@waybill/contracts/endpoints/server-sessions/running-transfer';
import { protocolSchema } from '@waybill/contracts/values/protocol';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { type Command, CommandFailed, type Invocation, UsageError } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { choiceOf, choiceOption, countOf, givenTexts, jsonOption, textOption } from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';
import { sizeText } from '../../platform/progress-bar.ts';
import { printable } from '../../platform/render-table.ts';

const filters = {
  ...platformOptions,
  json: jsonOption,
  user: textOption('name', 'Only transfers of this user.'),
  protocol: choiceOption('protocol', protocolSchema.options, 'Only transfers over this protocol.'),
};
/** Ids of sessions have 128 characters: tables show the beginning, and commands take it. */
const shownOfId = 13;
const most = 100_000;
const everyMs = 2_000;

/** Lists the transfers that run now. */
export const listTransfersCommand: Command = {
  summary: 'Lists the uploads and downloads that run, over SFTP and HTTP, oldest first.',
  examples: ['waybill transfers list', 'waybill transfers list --user acme --protocol HTTP'],
  options: { ...filters, limit: { ...textOption('number', 'How many are listed at most.'), usual: '1000' } },
  run: async (invocation) => {
    const query = { ...filterOf(invocation), maxItem: countOf(invocation.values, 'limit') };
    await using client = await openPlatform(invocation, { side: 'manager' });
    printRows(invocation, (await client.call(listRunningTransfersEndpoint, { query })).body.transfers, [
      ['TRANSFER', ({ transferId }) => transferId.slice(0, shownOfId)],
      ['PROTOCOL', ({ protocol }) => protocol],
      ['USER', ({ userName }) => userName],
      ['FROM', ({ clientAddress }) => clientAddress],
      ['PEER', ({ peerName }) => peerName],
      ['SINCE', ({ since }) => since],
      ['BYTES', ({ bytes }) => sizeText(bytes)],
      ['RATE', ({ bytesPerSecond }) => `${sizeText(bytesPerSecond)}/s`],
      ['FILE', ({ direction, path }) => `${direction} ${path ?? '?'}`],
    ]);
  },
};

/** Prints transfers as they begin, go on and end. */
export const watchTransfersCommand: Command = {
  summary: 'Prints each transfer that begins, goes on or ends, every two seconds, until it is interrupted.',
  examples: ['waybill transfers watch'],
  options: filters,
  run: async (invocation) => {
    const signal = invocation.interruption?.();
    const query = { ...filterOf(invocation), maxItem: most };
    await using client = await openPlatform(invocation, { side: 'manager' });
    let known = new Map<string, RunningTransferView>();
    for (;;) {
      const { transfers } = (await client.call(listRunningTransfersEndpoint, { query })).body;
      const found = new Map(transfers.map((transfer) => [keyOf(transfer), transfer]));
      for (const transfer of transfers) {
        const before = known.get(keyOf(transfer));
        if (before?.bytes !== transfer.bytes) tell(invocation, before ? 'running' : 'began', transfer);
      }
      for (const [key, transfer] of known) if (!found.has(key)) tell(invocation, 'ended', transfer);
      known = found;
      await delay(everyMs, undefined, signal ? { signal } : {}).catch(() => undefined);
      signal?.throwIfAborted();
    }
  },
};

/** Ends a transfer. */
export const killTransferCommand: Command = {
  summary: 'Ends a transfer, over SFTP with its session; it is named by the beginning of its id.',
  examples: ['waybill transfers kill 0198c2de-3f9a'],
  arguments: { transfer: 'The beginning of its id, at least 6 characters.' },
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    const [beginning = ''] = invocation.positionals;
    if (!/^[\dA-F-]{6,128}$/iu.test(beginning)) {
      throw new UsageError('give at least 6 characters of the id of a transfer');
    }
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { transferId } = await findTransfer(client, beginning);
    const ended = (await client.call(endRunningTransferEndpoint, { params: { transferId } })).body;
    printOne(invocation, ended, [`the ${ended.direction} of ${printable(ended.userName)} was ended`]);
  },
};

async function findTransfer(client: PlatformClient, beginning: string): Promise<RunningTransferView> {
  const { transfers } = (await client.call(listRunningTransfersEndpoint, { query: { maxItem: most } })).body;
  const wanted = beginning.toLowerCase();
  const found = transfers.filter(({ transferId }) => transferId.toLowerCase().startsWith(wanted));
  const [transfer] = found;
  if (!transfer) {
    throw new CommandFailed(`there is no running transfer ${beginning}; \`waybill transfers list\` lists them`);
  }
  if (found.length > 1)
    throw new CommandFailed(`${found.length} transfers begin with ${beginning}: give more of the id`);
  return transfer;
}

function filterOf({ values }: Invocation) {
  const { user: userName } = givenTexts(values, ['user']);
  const protocol = choiceOf(values, 'protocol', protocolSchema.options);
  return { ...(userName !== undefined && { userName }), ...(protocol && { protocol }) };
}

/** A session over SFTP has one file after the other. */
function keyOf({ transferId, path, since }: RunningTransferView): string {
  return JSON.stringify([transferId, path, since]);
}

function tell({ values, out }: Invocation, event: 'began' | 'running' | 'ended', transfer: RunningTransferView): void {
  if (values['json'] === true) return out(JSON.stringify({ event, transfer }));
  const { transferId, userName, direction, path, bytes, bytesPerSecond } = transfer;
  const moved = `${sizeText(bytes)} at ${sizeText(bytesPerSecond)}/s`;
  out(printable(`${event}  ${transferId.slice(0, shownOfId)}  ${userName}  ${direction} ${path ?? '?'}  ${moved}`));
}
