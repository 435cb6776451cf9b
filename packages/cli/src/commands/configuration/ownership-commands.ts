import {
  adoptObjectsEndpoint,
  forceObjectEndpoint,
  releaseObjectsEndpoint,
} from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import { z } from 'zod';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { describePreview } from '../../configuration/describe-plan.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption, givenTexts, jsonOption, neededOption, textOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { printable } from '../../platform/render-table.ts';
import { requestPlatform } from '../../platform/request-platform.ts';
import { conditionsOf, trialOf } from '../platform/object-arguments.ts';

const owning = {
  arguments: { collection: 'The collection, as addresses of the API name it.', name: 'The name of the object.' },
  options: {
    ...platformOptions,
    source: neededOption('name', 'The configuration source.'),
    actor: textOption('name', 'The actor of the object, where its name alone is not unique.'),
    reason: textOption('text', 'Why; it is recorded in the audit log.'),
    'if-match': textOption('version', 'Refuses if the object is not in this version any more.'),
    json: jsonOption,
  },
} as const;

/** Lets a source take an object over from the API. */
export const adoptCommand: Command = {
  ...owning,
  summary: 'Lets a source take an object over from the API. Its file has to describe it before the next `apply`.',
  examples: [`waybill adopt users tom --source logistics --reason 'moved into the file'`],
  run: async (invocation) => {
    const body = passingOf(invocation);
    await requestPlatform(invocation, adoptObjectsEndpoint, { body });
    const [{ name }] = body.objects;
    printOne(invocation, { ...objectOf(invocation), source: body.source }, [
      printable(`${name} belongs to the source ${body.source}.`),
    ]);
  },
};

/** Lets the API take an object over from a source. */
export const releaseCommand: Command = {
  ...owning,
  summary: 'Lets the API take an object over from a source. Its file must not describe it any more.',
  examples: ['waybill release users tom --source logistics'],
  run: async (invocation) => {
    const body = passingOf(invocation);
    await requestPlatform(invocation, releaseObjectsEndpoint, { body });
    const [{ name }] = body.objects;
    printOne(invocation, { ...objectOf(invocation), source: null }, [printable(`${name} belongs to the API.`)]);
  },
};

/** Changes an object of a source in an emergency. */
export const forceCommand: Command = {
  arguments: { collection: 'The collection, as addresses of the API name it.', name: 'The name of the object.' },
  options: {
    ...platformOptions,
    actor: textOption('name', 'The actor of the object, where its name alone is not unique.'),
    reason: neededOption('text', 'Why; it is recorded in the audit log.'),
    patch: textOption('json', 'The settings that change, as a JSON merge patch.'),
    delete: flagOption('Deletes the object, instead of --patch.'),
    'if-match': textOption('version', 'Refuses if the object is not in this version any more.'),
    'dry-run': flagOption('Shows what would change, and changes nothing.'),
    json: jsonOption,
  },
  summary:
    'Changes an object of a source in an emergency, by a JSON merge patch. It is drift until the source applies. `--if-match` refuses if it was changed meanwhile.',
  examples: [
    `waybill force users tom --reason 'incident 4711' --patch '{"enabled":false}'`,
    `waybill force users tom --reason 'incident 4711' --delete --dry-run`,
  ],
  run: async (invocation) => {
    const { patch, delete: deletes } = invocation.values;
    if ((typeof patch === 'string') === (deletes === true)) throw new UsageError('give either --patch or --delete');
    const change = typeof patch === 'string' ? { patch: patchIn(patch) } : ({ delete: true } as const);
    const object = objectOf(invocation);
    const body = { object, reason: String(invocation.values['reason']), ...change };
    const preview = await requestPlatform(invocation, forceObjectEndpoint, {
      body,
      headers: conditionsOf(invocation),
      query: trialOf(invocation),
    });
    if (preview !== undefined && invocation.values['dry-run'] === true)
      return printOne(invocation, preview, describePreview(preview));
    const done = deletes === true ? 'deleted' : 'changed';
    const broken = preview?.consequences ?? [];
    printOne(invocation, { ...object, [done]: true, ...(broken.length > 0 && { broken }) }, [
      ...broken.map((sentence) => printable(`! ${sentence}`)),
      printable(`${object.name} is ${done}: \`waybill drift\` shows it until its source applies.`),
    ]);
  },
};

/** The body of a change of the owner. */
function passingOf(invocation: Invocation) {
  const { 'if-match': ifMatch } = conditionsOf(invocation);
  const object = { ...objectOf(invocation), ...(ifMatch !== undefined && { ifMatch }) };
  const objects: [typeof object] = [object];
  return { source: String(invocation.values['source']), objects, ...givenTexts(invocation.values, ['reason']) };
}

function objectOf({ positionals: [collection = '', name = ''], values }: Invocation) {
  return { collection, name, ...givenTexts(values, ['actor']) };
}

function patchIn(json: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  } catch (cause) {
    throw new UsageError('--patch is not a JSON object', { cause });
  }
}
