import {
  adoptObjectsEndpoint,
  forceObjectEndpoint,
  releaseObjectsEndpoint,
} from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import { z } from 'zod';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { platformOptions, requestPlatform } from '../request-platform.ts';

const text = { type: 'string' } as const;
const owning = {
  positionals: ['collection', 'name'],
  options: { ...platformOptions, source: text, actor: text, reason: text },
} as const;

/** Lets a source take an object over from the API. */
export const adoptCommand: Command = {
  ...owning,
  summary: 'Lets a source take an object over from the API. Its file has to describe it before the next `apply`.',
  usage: `<collection> <name> --source <name> [--actor <name>] [--reason <text>]`,
  run: async (invocation) => {
    const [source, object] = [required(invocation, 'source'), objectOf(invocation)];
    await send(invocation, adoptObjectsEndpoint, { source, objects: [object], ...reasonOf(invocation) });
    invocation.out(`${object.name} belongs to the source ${source}.`);
  },
};

/** Lets the API take an object over from a source. */
export const releaseCommand: Command = {
  ...owning,
  summary: 'Lets the API take an object over from a source. Its file must not describe it any more.',
  usage: `<collection> <name> --source <name> [--actor <name>] [--reason <text>]`,
  run: async (invocation) => {
    const [source, object] = [required(invocation, 'source'), objectOf(invocation)];
    await send(invocation, releaseObjectsEndpoint, { source, objects: [object], ...reasonOf(invocation) });
    invocation.out(`${object.name} belongs to the API.`);
  },
};

/** Changes an object of a source in an emergency. */
export const forceCommand: Command = {
  positionals: ['collection', 'name'],
  options: { ...platformOptions, actor: text, reason: text, patch: text, delete: { type: 'boolean' } },
  summary:
    'Changes an object of a source in an emergency, by a JSON merge patch. It is drift until the source applies.',
  usage: `<collection> <name> --reason <text> (--patch <json>|--delete) [--actor <name>]`,
  run: async (invocation) => {
    const { patch, delete: deletes } = invocation.values;
    if ((typeof patch === 'string') === (deletes === true)) throw new UsageError('give either --patch or --delete');
    const change = typeof patch === 'string' ? { patch: patchIn(patch) } : { delete: true };
    const object = objectOf(invocation);
    await send(invocation, forceObjectEndpoint, { object, reason: required(invocation, 'reason'), ...change });
    invocation.out(
      `${object.name} is ${deletes === true ? 'deleted' : 'changed'}: \`waybill drift\` shows it until its source applies.`,
    );
  },
};

function objectOf({ positionals: [collection = '', name = ''], values: { actor } }: Invocation) {
  return { collection, name, ...(typeof actor === 'string' && { actor }) };
}

function reasonOf({ values: { reason } }: Invocation): { readonly reason?: string } {
  return typeof reason === 'string' ? { reason } : {};
}

function required({ values }: Invocation, option: string): string {
  const value = values[option];
  if (typeof value !== 'string') throw new UsageError(`give --${option}`);
  return value;
}

function patchIn(json: string): object {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  } catch (cause) {
    throw new UsageError('--patch is not a JSON object', { cause });
  }
}

async function send(
  invocation: Invocation,
  { method, path }: { readonly method: string; readonly path: string },
  body: object,
): Promise<void> {
  await requestPlatform(invocation, { method, path, body, response: z.unknown() });
}
