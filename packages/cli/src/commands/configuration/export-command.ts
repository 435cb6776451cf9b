import { renderDocument } from '@waybill/configuration/document/render-document';
import { exportConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import { exportSources } from '@waybill/directory/export-source';
import type { Command, Invocation } from '../../command.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { choiceOf, textOption } from '../../platform/option-values.ts';
import { requestPlatform } from '../../platform/request-platform.ts';
import { asksPlatform } from './plan-remotely.ts';

const formats = ['yaml', 'json'] as const;

/** Prints the configuration as documents. */
export const exportCommand: Command = {
  summary:
    'Prints the configuration as `apply` reads it: what each source and the API own, or one source. An empty --source is the API.',
  usage: '[--source <name>] [--format yaml|json] [--url <platform> --token <file>]',
  positionals: [],
  options: { source: textOption, format: textOption, ...platformOptions },
  choices: { format: formats },
  run: async (invocation) => {
    const documents = await (asksPlatform(invocation) ? exportRemotely(invocation) : exportDatabase(invocation));
    for (const [index, { source, document }] of documents.entries()) {
      if (documents.length > 1) invocation.out(`${index === 0 ? '' : '---\n'}# ${source ?? 'what the API owns'}`);
      invocation.out(document.trimEnd());
    }
  },
};

interface Exported {
  readonly source: string | null;
  readonly document: string;
}

function formatOf({ values }: Invocation): (typeof formats)[number] {
  return choiceOf(values, 'format', formats) ?? 'yaml';
}

function sourceOf({ values: { source } }: Invocation): string | undefined {
  return typeof source === 'string' ? source : undefined;
}

async function exportRemotely(invocation: Invocation): Promise<readonly Exported[]> {
  const query = { format: formatOf(invocation), source: sourceOf(invocation) };
  return (await requestPlatform(invocation, exportConfigurationEndpoint, { query })).documents;
}

async function exportDatabase(invocation: Invocation): Promise<readonly Exported[]> {
  const format = formatOf(invocation);
  const source = sourceOf(invocation);
  return await withPreparedDatabase(invocation, async (db) => {
    const exported = await exportSources(db, source === '' ? null : source);
    return exported.map(({ source: owner, document }) => ({
      source: owner,
      document: renderDocument(document, format),
    }));
  });
}
