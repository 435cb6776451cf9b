import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { type FileTrigger, isFileTrigger } from '@waybill/contracts/configuration/workflow-configuration';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import { usedVariables } from '@waybill/workflow/checks/used-variables';
import type { Warning } from '../document/warning.ts';
import { type Action, watchedPaths, writtenPaths } from './action-writes.ts';
import { createPatternsOverlap, type PatternsOverlap } from './patterns-overlap.ts';

type Workflow = PlatformConfiguration['workflowTemplates'][number];

interface PlacedAction {
  readonly place: string;
  readonly title: string;
  readonly action: Action;
  readonly workflow: Workflow;
}

/**
 * Warns of actions that start themselves, directly or through others, and of variables that the workflow does not use.
 */
export function findActionWarnings(configuration: PlatformConfiguration): Warning[] {
  const actions = enabledActions(configuration);
  return [...actions.flatMap(findVariableWarnings), ...findLoops(actions)];
}

function enabledActions({ actors, workflowTemplates }: PlatformConfiguration): PlacedAction[] {
  const workflows = new Map(workflowTemplates.map((template) => [template.name, template]));
  return actors.flatMap(({ contracts }, index) =>
    contracts.flatMap(({ name, enabled, actions }, c) =>
      actions.flatMap((action, a) => {
        const workflow = workflows.get(action.workflow);
        const place = `actors[${index}].contracts[${c}].actions[${a}]`;
        return enabled && workflow ? [{ place, title: `${name}/${action.name}`, action, workflow }] : [];
      }),
    ),
  );
}

/** What is missing is an error, which the check of the workflows reports. */
function findVariableWarnings({ place, action: { variables }, workflow }: PlacedAction): Warning[] {
  const used = usedVariables(workflow);
  if (used === 'all') return [];
  return Object.keys(variables)
    .filter((name) => !used.has(name))
    .map((name) => ({
      place: `${place}.variables.${name}`,
      message: `the workflow ${workflow.name} does not use this variable${suggestion(name, used)}`,
    }));
}

/** Of the files that a job writes, only new ones start an action. */
function findLoops(actions: readonly PlacedAction[]): Warning[] {
  const overlap = createPatternsOverlap();
  const waiting = Map.groupBy(actions.filter(waitsForNewFiles), ({ action: { trigger } }) => trigger.vfs);
  const successors = new Map(actions.map((one) => [one, startedBy(one, waiting, overlap)]));
  const following = new Map([...successors].map(([one, watched]) => [one, [...watched.keys()]]));
  return actions.flatMap((action) => {
    const chain = shortestLoop(action, following);
    if (chain === undefined) return [];
    const path = successors.get(action)?.get(chain[0] ?? action) ?? '';
    const through = chain.slice(0, -1).map(({ title }) => title);
    const what =
      through.length === 0 ? 'which start the action itself' : `which start it again through ${through.join(', ')}`;
    return [
      {
        place: action.place,
        message: `the action writes files that match ${path}, ${what}: write into another folder, or under a name that filePattern does not match`,
      },
    ];
  });
}

/** The actions that files of `one` start, with the files that start them: not what it writes, which may contain a secret of its variables. */
function startedBy(
  one: PlacedAction,
  waiting: ReadonlyMap<string, readonly WaitingAction[]>,
  overlap: PatternsOverlap,
): ReadonlyMap<PlacedAction, string> {
  const from = one.action.trigger;
  if (!isFileTrigger(from)) return new Map();
  const written = new Set(writtenPaths(one.action, one.workflow));
  return new Map(
    (waiting.get(from.vfs) ?? []).flatMap((other) => {
      const watched = watchedPaths(other.action.trigger);
      return [...written].some((path) => overlap(path, watched)) ? [[other, watched] as const] : [];
    }),
  );
}

/** An action that waits for new files. */
type WaitingAction = PlacedAction & { readonly action: { readonly trigger: FileTrigger } };

function waitsForNewFiles(one: PlacedAction): one is WaitingAction {
  return one.action.trigger.type === 'NewFile';
}

/** The actions after `start` up to `start` itself, breadth first. */
function shortestLoop(
  start: PlacedAction,
  successors: ReadonlyMap<PlacedAction, readonly PlacedAction[]>,
): PlacedAction[] | undefined {
  const seen = new Set<PlacedAction>();
  let chains: PlacedAction[][] = [[]];
  while (chains.length > 0) {
    const longer: PlacedAction[][] = [];
    for (const chain of chains) {
      for (const next of successors.get(chain.at(-1) ?? start) ?? []) {
        if (next === start) return [...chain, next];
        if (seen.has(next)) continue;
        seen.add(next);
        longer.push([...chain, next]);
      }
    }
    chains = longer;
  }
  return undefined;
}
