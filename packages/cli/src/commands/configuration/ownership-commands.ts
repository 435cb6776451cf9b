import {
  adoptObjectsEndpoint,
  forceObjectEndpoint,
  releaseObjectsEndpoint,
} from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import { z } from 'zod';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { describePreview } from '../../configuration/describe-plan.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption, givenTexts, textOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { printable } from '../../platform/render-table.ts';
import { requestPlatform } from '../../platform/request-platform.ts';
import { conditionsOf, trialOf } from '../platform/object-arguments.ts';

const owning = {
  positionals: ['collection', 'name'],
  options: {
    ...platformOptions,
    source: textOption,
    actor: textOption,
    reason: textOption,
    'if-match': textOption,
    json: flagOption,
  },
} as const;

/** Lets a source take an object over from the API. */
export const adoptCommand: Command = {
  ...owning,
  summary: 'Lets a source take an object over from the API. Its file has to describe it before the next `apply`.',
  usage: `<collection> <name> --source <name> [--actor <name>] [--reason <text>] [--if-match <version>] [--json]`,
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
  usage: `<collection> <name> --source <name> [--actor <name>] [--reason <text>] [--if-match <version>] [--json]`,
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
  positionals: ['collection', 'name'],
  options: {
    ...platformOptions,
    actor: textOption,
    reason: textOption,
    patch: textOption,
    delete: flagOption,
    'if-match': textOption,
    'dry-run': flagOption,
    json: flagOption,
  },
  summary:
    'Changes an object of a source in an emergency, by a JSON merge patch. It is drift until the source applies. `--if-match` refuses if it was changed meanwhile.',
  usage: `<collection> <name> --reason <text> (--patch <json>|--delete) [--actor <name>] [--if-match <version>] [--dry-run] [--json]`,
  examples: [
    `waybill force users tom --reason 'incident 4711' --patch '{"enabled":false}'`,
    `waybill force users tom --reason 'incident 4711' --delete --dry-run`,
  ],
  run: async (invocation) => {
    const { patch, delete: deletes } = invocation.values;
    if ((typeof patch === 'string') === (deletes === true)) throw new UsageError('give either --patch or --delete');
    const change = typeof patch === 'string' ? { patch: patchIn(patch) } : ({ delete: true } as const);
    const object = objectOf(invocation);
    const body = { object, reason: required(invocation, 'reason'), ...change };
    const preview = await requestPlatform(invocation, forceObjectEndpoint, {
      body,
      headers: conditionsOf(invocation),
      query: trialOf(invocation),
    });
    if (preview !== undefined) return printOne(invocation, preview, describePreview(preview));
    const done = deletes === true ? 'deleted' : 'changed';
    printOne(invocation, { ...object, [done]: true }, [
      printable(`${object.name} is ${done}: \`waybill drift\` shows it until its source applies.`),
    ]);
  },
};

/** The body of a change of the owner. */
function passingOf(invocation: Invocation) {
  const { 'if-match': ifMatch } = conditionsOf(invocation);
  const object = { ...objectOf(invocation), ...(ifMatch !== undefined && { ifMatch }) };
  const objects: [typeof object] = [object];
  return { source: required(invocation, 'source'), objects, ...givenTexts(invocation.values, ['reason']) };
}

function objectOf({ positionals: [collection = '', name = ''], values }: Invocation) {
  return { collection, name, ...givenTexts(values, ['actor']) };
}

function required({ values }: Invocation, option: string): string {
  const value = values[option];
  if (typeof value !== 'string') throw new UsageError(`give --${option}`);
  return value;
}

function patchIn(json: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  } catch (cause) {
    throw new UsageError('--patch is not a JSON object', { cause });
  }
}
