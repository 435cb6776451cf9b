import { exportConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import type { Command, Invocation } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { choiceOf, choiceOption, givenTexts, textOption } from '../../platform/option-values.ts';
import { requestPlatform } from '../../platform/request-platform.ts';
import { announcePlatform } from '../../platform/target.ts';

const formats = ['yaml', 'json'] as const;
const usualFormat = 'yaml';

/** Prints the configuration of a platform as documents. */
export const exportRemotelyCommand: Command = {
  summary:
    'Prints the configuration as `apply` reads it: what each source and the API own, or one source. An empty --source is the API.',
  examples: ['waybill export --source logistics > logistics.yaml', 'waybill export --format json'],
  options: {
    source: textOption('name', 'Only what this source owns; an empty name stands for the API.'),
    format: { ...choiceOption('format', formats, 'The format of the documents.'), usual: usualFormat },
    ...platformOptions,
  },
  run: async (invocation) => {
    await announcePlatform(invocation);
    const query = { format: formatOf(invocation), ...givenTexts(invocation.values, ['source']) };
    const { documents } = await requestPlatform(invocation, exportConfigurationEndpoint, { query });
    printDocuments(invocation, documents);
  },
};

/** What one owner has. */
interface OwnedDocument {
  /** `null`: the API. */
  readonly source: string | null;
  readonly document: string;
}

/** Prints documents, with the names of their owners if there are several. */
export function printDocuments({ out }: Pick<Invocation, 'out'>, documents: readonly OwnedDocument[]): void {
  for (const [index, { source, document }] of documents.entries()) {
    if (documents.length > 1) out(`${index === 0 ? '' : '---\n'}# ${source ?? 'what the API owns'}`);
    out(document.trimEnd());
  }
}

/** The format that the options ask for. */
export function formatOf({ values }: Pick<Invocation, 'values'>): (typeof formats)[number] {
  return choiceOf(values, 'format', formats) ?? usualFormat;
}
