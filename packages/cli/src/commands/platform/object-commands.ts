import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { resourceEndpoints } from '@waybill/contracts/endpoints/administration/resource-endpoints';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import { z } from 'zod';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { flagOption, givenTexts, textOption } from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';
import { readPages } from '../../platform/read-pages.ts';
import { printable } from '../../platform/render-table.ts';

const options = { ...platformOptions, actor: textOption, json: flagOption };
const collections = administeredResources.map(({ collection }) => collection);

const objectSchema = z.looseObject({ name: z.string(), actor: z.string().optional(), source: z.string().nullable() });

/** Lists objects of the configuration. */
export const listObjectsCommand: Command = {
  summary:
    'Lists the objects of a collection of the configuration, such as `actors` or `virtual-file-systems`, by name.',
  usage: '<collection> [--actor <name>] [--json]',
  examples: ['waybill objects list actors', 'waybill objects list connection-contracts --actor acme --json'],
  positionals: ['collection'],
  options,
  run: async (invocation) => {
    const { list } = endpointsOf(invocation);
    const filters = givenTexts(invocation.values, ['actor']);
    const signal = invocation.interruption?.();
    await using client = await openPlatform(invocation, { side: 'manager' });
    const readPage = async (cursor: object) =>
      (await client.call(list, { query: { ...filters, maxItems: 1_000, ...cursor }, signal })).body;
    for await (const { items } of readPages(readPage)) {
      printRows(invocation, z.array(objectSchema).parse(items), [
        ['NAME', ({ name }) => name],
        ['ACTOR', ({ actor }) => actor ?? ''],
        ['OWNER', ({ source }) => source ?? 'the API'],
      ]);
    }
  },
};

/** Shows one object of the configuration. */
export const showObjectCommand: Command = {
  summary: 'Shows an object of the configuration as JSON.',
  usage: '<collection> <name> [--actor <name>] [--json]',
  examples: ['waybill objects show users acme'],
  positionals: ['collection', 'name'],
  options,
  run: async (invocation) => {
    const [, name = ''] = invocation.positionals;
    const { find } = endpointsOf(invocation);
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { body } = await client.call(find, { params: { name }, query: givenTexts(invocation.values, ['actor']) });
    printOne(invocation, body, JSON.stringify(body, null, 2).split('\n').map(printable));
  },
};

/** Creates an object of the configuration. */
export const createObjectCommand: Command = {
  summary: 'Creates an object of the configuration from JSON, in a file or on standard input (`-`).',
  usage: '<collection> <file> [--json]',
  examples: [
    'waybill objects create users tom.json',
    `echo '{"name":"umbrella","type":"Partner"}' | waybill objects create actors -`,
  ],
  positionals: ['collection', 'file'],
  options: { ...platformOptions, json: flagOption },
  run: async (invocation) => {
    const { create } = endpointsOf(invocation);
    const settings = await readSettings(invocation);
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { body } = await client.call(create, { body: settings });
    printOne(invocation, body, [`${printable(objectSchema.parse(body).name)} was created`]);
  },
};

/** Deletes an object of the configuration. */
export const deleteObjectCommand: Command = {
  summary: 'Deletes an object of the configuration. What is in use is refused.',
  usage: '<collection> <name> [--actor <name>] [--json]',
  examples: ['waybill objects delete connection-contracts umbrella-sftp --actor umbrella'],
  positionals: ['collection', 'name'],
  options,
  run: async (invocation) => {
    const [, name = ''] = invocation.positionals;
    const { remove } = endpointsOf(invocation);
    await using client = await openPlatform(invocation, { side: 'manager' });
    await client.call(remove, { params: { name }, query: givenTexts(invocation.values, ['actor']) });
    printOne(invocation, { name, deleted: true }, [`${printable(name)} was deleted`]);
  },
};

function endpointsOf({ positionals: [collection = ''] }: Invocation) {
  const resource = administeredResources.find((each) => each.collection === collection);
  if (resource) return resourceEndpoints(resource);
  const near = suggestion(collection, collections) || `; there are ${collections.join(', ')}`;
  throw new UsageError(`there is no collection ${collection}${near}`);
}

async function readSettings({ positionals: [, file = ''], input }: Invocation): Promise<Record<string, unknown>> {
  const text =
    file === '-'
      ? await textOf(input ?? Readable.from([]))
      : await readFile(file, 'utf8').catch((cause: unknown) => {
          throw new UsageError(`${file} cannot be read`, { cause });
        });
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch (cause) {
    throw new UsageError(`${file === '-' ? 'standard input' : file} is not a JSON object`, { cause });
  }
}
