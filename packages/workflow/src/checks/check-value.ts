import { hasExpression, splitTemplate, TemplateError, type TemplatePart } from '../expressions/template-text.ts';
import type { CheckExpression } from './check-expression.ts';
import type { TemplateFault } from './template-fault.ts';

type Path = TemplateFault['path'];

/** Checks all expressions in a value of JSON. */
export function checkValue(value: unknown, path: Path, check: CheckExpression): TemplateFault[] {
  if (typeof value === 'string') return checkText(value, path, check).faults;
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => checkValue(item, [...path, index], check));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => checkValue(member, [...path, name], check));
}

/** Checks the expressions in a text. `type`: the type in CEL of a text that is one expression; a text otherwise. */
export function checkText(text: string, path: Path, check: CheckExpression): { faults: TemplateFault[]; type: string } {
  if (!hasExpression(text)) return { faults: [], type: 'string' };
  const parts = partsOf(text);
  if (parts instanceof TemplateError)
    return { faults: [{ path, message: parts.message, index: parts.index }], type: 'dyn' };
  const checked = parts.flatMap((part) => (part.kind === 'text' ? [] : [{ start: part.start, ...check(part.source) }]));
  const faults = checked.flatMap(({ start, faults: found }) =>
    found.map(({ message, index }) => ({ path, message, index: start + index })),
  );
  return { faults, type: parts.length === 1 ? (checked[0]?.type ?? 'string') : 'string' };
}

/** Checks an expression with or without `${{ }}` around it. */
export function checkSource(
  source: string,
  path: Path,
  check: CheckExpression,
): { faults: TemplateFault[]; type: string } {
  if (hasExpression(source)) return checkText(source, path, check);
  const { faults, type } = checkText(`\${{${source}}}`, path, check);
  return { faults: faults.map((fault) => ({ ...fault, index: Math.max(0, (fault.index ?? 0) - 3) })), type };
}

/** Checks a condition: an expression with or without `${{ }}`, which is true or false. */
export function checkCondition(condition: string, path: Path, check: CheckExpression): TemplateFault[] {
  const { faults, type } = checkSource(condition, path, check);
  if (faults.length > 0) return faults;
  return type === 'bool' || type === 'dyn'
    ? []
    : [{ path, message: 'must be true or false: compare it with something' }];
}

/** Whether a value of JSON has an expression anywhere. */
export function hasAnyExpression(value: unknown): boolean {
  if (typeof value === 'string') return hasExpression(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasAnyExpression);
}

function partsOf(text: string): TemplatePart[] | TemplateError {
  try {
    return splitTemplate(text);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}
