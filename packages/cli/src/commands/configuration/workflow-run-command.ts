import type { Command } from '../../command.ts';
import { dryRunOptions, platformDryRunOptions, runWorkflowRemotely } from './run-workflow-remotely.ts';

/** Shows what the workflow of an action would do. */
export const workflowRunCommand: Command = {
  summary:
    'Shows what the workflow of an action would do: the condition and the parameters of each step. Only tasks that touch nothing run. With a file, no database and no platform is needed; without one, the platform is asked, and `--vfs` names where a stored file is looked up. `--file` gives the platform a workflow template that is not stored, alone or for an action. `--variables` and `--steps` are JSON.',
  examples: [
    'waybill workflow run platform.yaml invoices/compress --dry-run --path /inbox/march.csv --size 2048',
    'waybill workflow run invoices/compress --dry-run --vfs acme-files --path /inbox/march.csv',
    'waybill workflow run --dry-run --file compress.yaml --path /inbox/march.csv',
  ],
  optionalArguments: {
    'file or action': 'A configuration file, or <contract>/<action> or the workflow of a platform.',
    action: '<contract>/<action> of the configuration file.',
  },
  options: { ...dryRunOptions, ...platformDryRunOptions },
  run: async (invocation) => {
    if (invocation.positionals[1] === undefined) return await runWorkflowRemotely(invocation);
    // The checks of a configuration take long to load: other commands do without them.
    const { runWorkflowOfFile } = await import('./run-workflow-of-file.ts');
    await runWorkflowOfFile(invocation);
  },
};
