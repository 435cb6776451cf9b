import { renderDocument } from '@waybill/configuration/document/render-document';
import { exportConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import { exportSources } from '@waybill/directory/export-source';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { withPreparedDatabase } from '../../database/with-prepared-database.ts';
import { platformOptions, requestPlatform } from '../request-platform.ts';
import { asksPlatform } from './plan-remotely.ts';

const text = { type: 'string' } as const;

/** Prints the configuration as documents. */
export const exportCommand: Command = {
  summary:
    'Prints the configuration as `apply` reads it: what each source and the API own, or one source. An empty --source is the API.',
  usage: '[--source <name>] [--format yaml|json] [--url <platform> --token <file>]',
  positionals: [],
  options: { source: text, format: text, ...platformOptions },
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

function formatOf({ values: { format = 'yaml' } }: Invocation): 'yaml' | 'json' {
  if (format !== 'yaml' && format !== 'json') throw new UsageError('--format is yaml or json');
  return format;
}

function sourceOf({ values: { source } }: Invocation): string | undefined {
  return typeof source === 'string' ? source : undefined;
}

async function exportRemotely(invocation: Invocation): Promise<readonly Exported[]> {
  const source = sourceOf(invocation);
  const { method, path, responses } = exportConfigurationEndpoint;
  const query = new URLSearchParams({ format: formatOf(invocation), ...(source !== undefined && { source }) });
  const request = { method, path: `${path}?${query.toString()}`, response: responses[200].body.schema };
  return (await requestPlatform(invocation, request)).documents;
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
