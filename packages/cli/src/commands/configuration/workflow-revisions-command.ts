import {
  findWorkflowRevisionEndpoint,
  listWorkflowRevisionsEndpoint,
  type WorkflowRevisionView,
} from '@waybill/contracts/endpoints/administration/workflow-revision-endpoints';
import { differencesOf } from '@waybill/directory/differences/difference';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { describeDifference } from '../../configuration/describe-difference.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { jsonOption, textOption } from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';
import { readPages } from '../../platform/read-pages.ts';
import { printable } from '../../platform/render-table.ts';

/** Shows the revisions of a workflow template. */
export const workflowRevisionsCommand: Command = {
  summary:
    'Lists the revisions of a workflow template, the newest first. With a number it shows that one; with `--since`, what has changed since an earlier one.',
  examples: [
    'waybill workflow revisions compress-file',
    'waybill workflow revisions compress-file 3',
    'waybill workflow revisions compress-file 3 --since 2',
  ],
  arguments: { workflow: 'The name of the workflow template.' },
  optionalArguments: { revision: 'The number of a revision.' },
  options: {
    ...platformOptions,
    since: textOption('revision', 'Shows what has changed since this revision.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    const {
      positionals: [name = '', number],
      values: { since },
    } = invocation;
    const revision = number === undefined ? undefined : revisionNumber(number);
    if (typeof since === 'string' && revision === undefined) throw new UsageError('give the revision to compare');
    const former = typeof since === 'string' ? revisionNumber(since) : undefined;
    await using client = await openPlatform(invocation, { side: 'manager' });
    if (revision === undefined) return await listRevisions(invocation, client, name);
    const shown = await findRevision(client, name, revision);
    if (former !== undefined) return compare(invocation, await findRevision(client, name, former), shown);
    return printOne(invocation, shown, JSON.stringify(shown, null, 2).split('\n').map(printable));
  },
};

async function listRevisions(invocation: Invocation, client: PlatformClient, name: string): Promise<void> {
  const signal = invocation.interruption?.();
  const readPage = async (cursor: object) =>
    (
      await client.call(listWorkflowRevisionsEndpoint, {
        params: { name },
        query: { maxItems: 1_000, ...cursor },
        signal,
      })
    ).body;
  for await (const { items } of readPages(readPage)) {
    printRows(invocation, items, [
      ['REVISION', ({ revision }) => String(revision)],
      ['APPLIED', ({ appliedAt }) => appliedAt],
      ['BY', ({ appliedBy }) => appliedBy ?? 'unknown'],
      ['', ({ current }) => (current ? 'current' : '')],
    ]);
  }
}

async function findRevision(client: PlatformClient, name: string, revision: number): Promise<WorkflowRevisionView> {
  return (await client.call(findWorkflowRevisionEndpoint, { params: { name, revision } })).body;
}

function compare(invocation: Invocation, before: WorkflowRevisionView, after: WorkflowRevisionView): void {
  const differences = differencesOf(before.document, after.document);
  const lines = differences.map((difference) => printable(describeDifference(difference, new Set())));
  const none = 'Nothing differs in the template itself: a workflow that it runs may have changed.';
  printOne(
    invocation,
    { before: before.revision, after: after.revision, differences },
    lines.length > 0 ? lines : [none],
  );
}

function revisionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/u.test(text)) return Number(text);
  throw new UsageError(`${text} is not the number of a revision`);
}
