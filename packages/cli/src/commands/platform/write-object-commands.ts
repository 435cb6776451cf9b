import {
  type ChangePreview,
  changePreviewSchema,
} from '@waybill/contracts/endpoints/administration/configuration-views';
import type { Command, Invocation } from '../../command.ts';
import { describePreview } from '../../configuration/describe-plan.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { flagOption, jsonOption, textOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { printable } from '../../platform/render-table.ts';
import { conditionsOf, readSettings, trialOf } from './object-arguments.ts';
import { collectionOf, collections, objectSchema } from './object-collections.ts';

const words = { collection: collections };
const options = {
  ...platformOptions,
  actor: textOption('name', 'The actor of the object.'),
  of: textOption('object', 'The object of parts, such as the cluster of servers.'),
  file: textOption('file', 'The file with the settings, in YAML or JSON; standard input if it is left out.'),
  'dry-run': flagOption('Shows what would change, and changes nothing.'),
  json: jsonOption,
};

/** Creates an object of the configuration. */
export const createObjectCommand: Command = {
  summary:
    'Creates an object of the configuration from settings in YAML or JSON, in a file or on standard input. `--dry-run` shows what would change.',
  examples: [
    'waybill objects create users --file tom.yaml --dry-run',
    `echo '{name: umbrella, type: Partner}' | waybill objects create actors`,
  ],
  arguments: { collection: 'The collection, as addresses of the API name it.' },
  words,
  options,
  run: async (invocation) => {
    const collection = collectionOf(invocation);
    const write = await writeOf(invocation);
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { body } = await collection.create(client, write);
    if (!printPreview(invocation, body)) printWritten(invocation, body, 'was created');
  },
};

/** Replaces an object of the configuration. */
export const replaceObjectCommand: Command = {
  summary:
    'Replaces an object of the configuration, or creates it: settings that are left out get their defaults. `--if-match` refuses if it was changed meanwhile.',
  examples: [
    'waybill objects replace users tom --file tom.yaml --dry-run',
    "waybill objects replace users tom --file tom.json --if-match '*'",
  ],
  arguments: { collection: 'The collection, as addresses of the API name it.', name: 'The name of the object.' },
  words,
  options: {
    ...options,
    'if-match': textOption('version', 'Refuses if the object is not in this version any more; * refuses to create it.'),
  },
  run: async (invocation) => {
    const [, name = ''] = invocation.positionals;
    const collection = collectionOf(invocation);
    const write = await writeOf(invocation);
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { status, body } = await collection.replace(client, name, write);
    if (!printPreview(invocation, body))
      printWritten(invocation, body, status === 201 ? 'was created' : 'was replaced');
  },
};

/** Changes some settings of an object of the configuration. */
export const changeObjectCommand: Command = {
  summary:
    'Changes some settings of an object of the configuration by a JSON merge patch, in YAML or JSON: settings that are left out stay, and `null` removes one.',
  examples: [
    `echo 'enabled: false' | waybill objects change users tom --dry-run`,
    'waybill objects change virtual-file-systems acme-files --file limits.yaml --if-match 3q2-7wXJ',
  ],
  arguments: { collection: 'The collection, as addresses of the API name it.', name: 'The name of the object.' },
  words,
  options: {
    ...options,
    'if-match': textOption('version', 'Refuses if the object is not in this version any more; * refuses to create it.'),
  },
  run: async (invocation) => {
    const [, name = ''] = invocation.positionals;
    const collection = collectionOf(invocation);
    const write = await writeOf(invocation);
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { body } = await collection.change(client, name, write);
    if (!printPreview(invocation, body)) printWritten(invocation, body, 'was changed');
  },
};

async function writeOf(invocation: Invocation) {
  return {
    settings: await readSettings(invocation),
    headers: conditionsOf(invocation),
    trial: trialOf(invocation),
  };
}

/** Prints what a dry run has found, if the answer is that. */
function printPreview(invocation: Invocation, body: unknown): boolean {
  if (invocation.values['dry-run'] !== true) return false;
  const preview: ChangePreview = changePreviewSchema.parse(body);
  printOne(invocation, preview, describePreview(preview));
  return true;
}

function printWritten(invocation: Invocation, body: unknown, what: string): void {
  printOne(invocation, body, [`${printable(objectSchema.parse(body).name)} ${what}`]);
}
