import { type Fault, pathOf, type ReadText, readText } from './place-in-text.ts';

/** The lists of a workflow whose steps expressions name. */
const stepLists = ['steps', 'onError', 'finally'] as const;

/**
 * The faults of a refused text that are still in another one: the setting of each is still there, and neither its value nor what it
 * depends on has changed. A setting that is missing is still so, at the same place. Others are left to the next check.
 */
export function faultsStillIn(text: string, refused: string, faults: readonly Fault[]): readonly Fault[] {
  if (text === refused || faults.length === 0) return faults;
  const [before, now] = [readText(refused), readText(text)];
  const lines = { before: refused.split('\n'), now: text.split('\n') };
  return faults.filter((fault) => {
    const path = pathOf(fault);
    if (before.writtenAt(path) !== undefined) return concernsOf(before, path) === concernsOf(now, path);
    if (now.writtenAt(path) !== undefined || depthOf(before, path) !== depthOf(now, path)) return false;
    const [earlier, later] = [before.placeOf(fault), now.placeOf(fault)];
    return earlier && later && lines.before[earlier.line - 1] === lines.now[later.line - 1];
  });
}

/** How many names of a path a text has. */
function depthOf({ writtenAt }: ReadText, path: readonly string[]): number {
  return path.findLastIndex((_name, index) => writtenAt(path.slice(0, index + 1)) !== undefined) + 1;
}

/**
 * What a fault can be about: the value; of a name, those of the same list and of steps; of an expression, the names of steps; of a
 * parameter, the task.
 */
function concernsOf(text: ReadText, path: readonly string[]): string {
  const { writtenAt } = text;
  const value = writtenAt(path);
  const isName = path.at(-1) === 'name' && path.length > 2;
  const names = isName ? namesIn(text, path.slice(0, -2)) : [];
  const steps = isName || value?.includes('${{') === true ? stepLists.flatMap((list) => namesIn(text, [list])) : [];
  const parameters = path.lastIndexOf('with');
  const task = parameters < 0 ? undefined : writtenAt([...path.slice(0, parameters), 'uses']);
  // What is missing is not the same as what is empty.
  return JSON.stringify([value ?? null, names, steps, task ?? null]);
}

function namesIn({ writtenAt, lengthOf }: ReadText, list: readonly string[]): readonly (string | null)[] {
  return Array.from({ length: lengthOf(list) }, (_, index) => writtenAt([...list, String(index), 'name']) ?? null);
}
