import { testConfiguration } from './test-configuration.ts';

/**
 * The test configuration with a contract `due` that expects `*.due` files in /inbox, and that has an action for each outcome of the
 * expectation, of the same name. More expectations, if there are names for them, raise the same.
 */
export function expectingConfiguration(settings: object, names: readonly string[] = ['orders']): object {
  const actionOf = (expectation: string, outcome: string) => ({
    name: expectation === 'orders' ? outcome : `${expectation}-${outcome}`,
    trigger: { type: 'Expectation', expectation, on: [outcome] },
    workflow: 'note-outcome',
    variables: { folder: '/outbox' },
  });
  const due = {
    name: 'due',
    type: 'Input',
    expectations: names.map((name) => ({
      name,
      vfs: 'acme-files',
      virtualPath: '/inbox',
      filePattern: '*.due',
      ...settings,
    })),
    actions: names.flatMap((name) => ['missed', 'late', 'unexpected', 'met'].map((outcome) => actionOf(name, outcome))),
  };
  const template = {
    name: 'note-outcome',
    steps: [
      {
        name: 'write',
        uses: 'write-file',
        with: {
          path: '${{ variables.folder }}/${{ variables.expectation }}-${{ variables.expectationOutcome }}-${{ job.id }}.txt',
          text: '${{ variables.dueAt }} ${{ variables.fileCount }}',
        },
      },
    ],
  };
  return {
    ...testConfiguration,
    workflowTemplates: [...testConfiguration.workflowTemplates, template],
    actors: testConfiguration.actors.map((actor) => ({ ...actor, contracts: [...actor.contracts, due] })),
  };
}
