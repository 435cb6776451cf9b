import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { parseComputed } from '../expressions/expression.ts';
import { parseReferencePath } from '../expressions/reference-path.ts';
import { referencesOf } from '../expressions/references.ts';
import { hasExpression, splitTemplate } from '../expressions/template-text.ts';
import type { DryStep } from './dry-outcome.ts';
import { itemRulesOf } from './foreach-items.ts';

type Ended = Pick<DryStep, 'outputsFrom' | 'items'> & { readonly inner?: readonly DryStep[] | undefined };

/** Which steps of a dry run have values that are known only in a real run, and which steps use them. */
export interface PlaceholderUses {
  /** The steps whose unknown values the condition, the list or the parameters of a step name. */
  of(step: StoredStep): readonly string[];
  /** Notes what became of a step that uses the values of such steps. */
  note(step: StoredStep, end: Ended, dependsOn: readonly string[]): void;
}

/** Follows the steps of one workflow in the order in which they run. */
export function createPlaceholderUses(): PlaceholderUses {
  /** By their names, the outputs that are known all the same. */
  const unknown = new Map<string, ReadonlySet<string>>();
  const isUnknown = (name: string, output: string | undefined): boolean => {
    const known = unknown.get(name);
    return known !== undefined && (output === undefined || !known.has(output));
  };
  return {
    of(step) {
      const used = namesUsedBy(step).flatMap(([root, name, what, output]) => {
        if (root !== 'steps') return [];
        if (name === undefined) return [...unknown.keys()];
        // How it ends is assumed as well, but only a value is a placeholder.
        return what !== 'status' && isUnknown(name, output) ? [name] : [];
      });
      return [...new Set(used)];
    },
    note(step, end, dependsOn) {
      if (dependsOn.length > 0) unknown.set(step.name, new Set());
      // The path follows from the parameters.
      else if (hasPlaceholders(end)) unknown.set(step.name, new Set(['path']));
    },
  };
}

function hasPlaceholders({ outputsFrom, items = [], inner = [] }: Ended): boolean {
  return (
    outputsFrom === 'placeholder' ||
    items.some((item) => item.outputsFrom === 'placeholder') ||
    inner.some((step) => step.dependsOn !== undefined || hasPlaceholders(step))
  );
}

/** The paths of the values that the expressions of a step name. */
function namesUsedBy(step: StoredStep): (readonly string[])[] {
  const list = step.foreach === undefined ? undefined : itemRulesOf(step.foreach).in;
  return [
    ...bareSources(step.if),
    ...(typeof list === 'string' ? bareSources(list) : sourcesIn(list)),
    ...sourcesIn(step.with),
  ].flatMap(namesIn);
}

/** The expression of a field that needs no `${{ }}` around it. */
function bareSources(text: unknown): string[] {
  return typeof text === 'string' && !hasExpression(text) ? [text.trim()] : sourcesIn(text);
}

function sourcesIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return unlessInvalid(() => splitTemplate(value)).flatMap((part) => (part.kind === 'expression' ? part.source : []));
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sourcesIn) : [];
}

function namesIn(source: string): readonly (readonly string[])[] {
  const path = parseReferencePath(source);
  if (path) return [path];
  return unlessInvalid(() => referencesOf(parseComputed(source)).map(({ names }) => names));
}

/** The run itself tells of an expression that is wrong. */
function unlessInvalid<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch (error) {
    if (isCodedError(error)) return [];
    throw error;
  }
}
