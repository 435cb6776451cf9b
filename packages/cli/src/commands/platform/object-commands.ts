import { changePreviewSchema } from '@waybill/contracts/endpoints/administration/configuration-views';
import { z } from 'zod';
import type { Command } from '../../command.ts';
import { describePreview } from '../../configuration/describe-plan.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { flagOption, jsonOption, textOption } from '../../platform/option-values.ts';
import { pagePrinter, printOne } from '../../platform/print-rows.ts';
import { readPages } from '../../platform/read-pages.ts';
import { printable } from '../../platform/render-table.ts';
import { conditionsOf, trialOf } from './object-arguments.ts';
import { collectionOf, collections, objectSchema } from './object-collections.ts';
import { filterOptions } from './object-filters.ts';

const options = {
  ...platformOptions,
  actor: textOption('name', 'The actor of the object, or of the objects that are listed.'),
  of: textOption('object', 'The object of parts, such as the cluster of servers.'),
  json: jsonOption,
};
const words = { collection: collections };

/** Lists objects of the configuration. */
export const listObjectsCommand: Command = {
  summary:
    'Lists the objects of a collection of the configuration, such as `actors` or `virtual-file-systems`, by name. `--of` names the object of parts, such as the cluster of `servers`. Each collection has filters of its settings, such as `--enabled false`, and some are sorted by settings.',
  examples: [
    'waybill objects list actors',
    "waybill objects list users --name 'acme-*' --source ''",
    'waybill objects list connection-contracts --actor acme --json',
    'waybill objects list servers --of edge',
    'waybill objects list users --group clerks --enabled false',
    'waybill objects list users --sort expires',
    'waybill objects list users --last-login-before 2026-01-01 --sort lastLoginAt',
  ],
  arguments: { collection: 'The collection, as addresses of the API name it.' },
  words,
  options: {
    ...filterOptions,
    ...options,
    name: textOption('pattern', 'Only objects with such names; * matches any sequence.'),
    source: textOption('name', 'Only objects of this configuration source; an empty name stands for the API.'),
    sort: textOption('setting', 'The setting to sort by; with - before it, in descending order.'),
  },
  run: async (invocation) => {
    const collection = collectionOf(invocation);
    const signal = invocation.interruption?.();
    await using client = await openPlatform(invocation, { side: 'manager' });
    const readPage = async (cursor: object) => await collection.list(client, { maxItems: 1_000, ...cursor }, signal);
    const print = pagePrinter<z.output<typeof objectSchema>>(invocation, [
      ['NAME', ({ name }) => name],
      ['ACTOR', ({ actor }) => actor ?? ''],
      ['OWNER', ({ source }) => source ?? 'the API'],
    ]);
    for await (const { items } of readPages(readPage)) print(z.array(objectSchema).parse(items));
  },
};

/** Shows one object of the configuration. */
export const showObjectCommand: Command = {
  summary: 'Shows an object of the configuration as JSON, or with `--version` its version, for `--if-match`.',
  examples: ['waybill objects show users acme', 'waybill objects show users acme --version'],
  arguments: { collection: 'The collection, as addresses of the API name it.', name: 'The name of the object.' },
  words,
  options: { ...options, version: flagOption('Shows only the version of the object, for --if-match.') },
  run: async (invocation) => {
    const [, name = ''] = invocation.positionals;
    const collection = collectionOf(invocation);
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { body, headers } = await collection.find(client, name);
    if (invocation.values['version'] === true) return printOne(invocation, { version: headers.etag }, [headers.etag]);
    printOne(invocation, body, JSON.stringify(body, null, 2).split('\n').map(printable));
  },
};

/** Deletes an object of the configuration. */
export const deleteObjectCommand: Command = {
  summary: 'Deletes an object of the configuration. What is in use is refused.',
  examples: [
    'waybill objects delete users tom',
    'waybill objects delete connection-contracts umbrella-sftp --actor umbrella --dry-run',
  ],
  arguments: { collection: 'The collection, as addresses of the API name it.', name: 'The name of the object.' },
  words,
  options: {
    ...options,
    'if-match': textOption('version', 'Refuses if the object is not in this version any more.'),
    'dry-run': flagOption('Shows what would be deleted, and deletes nothing.'),
  },
  run: async (invocation) => {
    const [, name = ''] = invocation.positionals;
    const collection = collectionOf(invocation);
    await using client = await openPlatform(invocation, { side: 'manager' });
    const write = { headers: conditionsOf(invocation), trial: trialOf(invocation) };
    const { status, body } = await collection.remove(client, name, write);
    if (status === 200) return printOne(invocation, body, describePreview(changePreviewSchema.parse(body)));
    printOne(invocation, { name, deleted: true }, [`${printable(name)} was deleted`]);
  },
};
