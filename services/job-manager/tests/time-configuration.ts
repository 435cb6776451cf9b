import { testConfiguration } from './test-configuration.ts';

/** The trigger of an action by its name. */
export type TimeTriggers = Readonly<Record<string, object>>;

/** The test configuration with a contract `timed` of these Time actions, each of which writes a file. */
export function timeConfiguration(
  triggers: TimeTriggers,
  { enabled = true, queues = testConfiguration.queues }: { enabled?: boolean; queues?: readonly object[] } = {},
): object {
  const actions = Object.entries(triggers).map(([name, trigger]) => ({
    name,
    trigger: { type: 'Time', ...trigger },
    vfs: 'acme-files',
    workflow: 'write-report',
    variables: { folder: '/outbox', name, text: 'written at its time' },
  }));
  const timed = { name: 'timed', type: 'Output', enabled, actions };
  return {
    ...testConfiguration,
    queues,
    actors: testConfiguration.actors.map((actor) => ({
      ...actor,
      contracts: [...actor.contracts, ...(actions.length === 0 ? [] : [timed])],
    })),
  };
}
