import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { parseDocument } from '@waybill/configuration/document/parse-document';
import type { AdministeredPart } from '@waybill/contracts/endpoints/administration/part-table';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { z } from 'zod';
import { type Invocation, UsageError } from '../../command.ts';
import { givenTexts } from '../../platform/option-values.ts';
import { objectOfPart, partNamed } from './object-collections.ts';

/** The query of a request that may be a dry run. */
export function trialOf({ values }: Pick<Invocation, 'values'>) {
  return values['dry-run'] === true ? { dryRun: 'true' as const } : {};
}

/** The version that the object must have, if one is given; quotes around it may be left out. */
export function conditionsOf({ values }: Pick<Invocation, 'values'>) {
  const { 'if-match': version } = givenTexts(values, ['if-match']);
  if (version === undefined) return {};
  return { 'if-match': /^[\w-]+$/u.test(version) ? `"${version}"` : version };
}

/**
 * The settings in the file of `--file`, or on standard input, in YAML or JSON. What `show` prints can be given back: the owner is
 * left out. The actor of `--actor`, or the object of `--of`, is added. @throws UsageError if there are none
 */
export async function readSettings({ values, input, positionals }: Invocation): Promise<Record<string, unknown>> {
  const { file, actor } = givenTexts(values, ['file', 'actor']);
  const title = file === undefined || file === '-' ? 'standard input' : file;
  const { source: _source, ...settings } = settingsIn(await readText(file, input), title);
  const part = partNamed(positionals[0]);
  if (part) return settingsOfPart(part, settings, { values, title });
  if (actor === undefined) return settings;
  if (settings['actor'] === undefined || settings['actor'] === actor) return { ...settings, actor };
  throw new UsageError(`${title} names another actor than --actor ${actor}`);
}

/** The settings of a part, with its object. The actor is that of the object. */
function settingsOfPart(
  part: AdministeredPart,
  { actor: _actor, ...settings }: Readonly<Record<string, unknown>>,
  { values, title }: Pick<Invocation, 'values'> & { readonly title: string },
): Record<string, unknown> {
  const { member } = part;
  const named = settings[member];
  const of = objectOfPart(part, { ...(typeof named === 'string' && { of: named }), ...values });
  if (named === undefined || named === of) return { ...settings, [member]: of };
  throw new UsageError(`${title} names another ${member} than --of ${of}`);
}

async function readText(file: string | undefined, input: Invocation['input']): Promise<string> {
  if (file !== undefined && file !== '-') {
    return await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new UsageError(`${file} cannot be read`, { cause });
    });
  }
  if (input) return await textOf(input);
  throw new UsageError('give --file <file>, or the settings on standard input');
}

function settingsIn(text: string, title: string): Record<string, unknown> {
  const message = `${title} has no settings: give an object in YAML or JSON, such as \`enabled: false\``;
  try {
    const { success, data } = z.record(z.string(), z.unknown()).safeParse(parseDocument(text, title).value);
    if (success) return data;
  } catch (error) {
    if (isCodedError(error)) throw new UsageError(error.message, { cause: error });
    throw error;
  }
  throw new UsageError(message);
}
