import { z } from 'zod';

/** The maximum depth of nested objects and arrays. */
const maxDepth = 32;

/**
 * A JSON object with any members, at most 32 levels deep, whose strings PostgreSQL can store, and whose numbers are as the
 * sender wrote them: JSON has larger integers than a number here can hold.
 */
export const freeFormObjectSchema = z.record(z.string(), z.unknown()).superRefine((members, context) => {
  const fault = faultOf(members);
  if (fault) context.addIssue({ code: 'custom', message: fault });
});

/** The error in a JSON value, if any. Not recursive, because the value may be arbitrarily deep. */
function faultOf(root: unknown): string | undefined {
  const waiting: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next;
    if (depth > maxDepth) return `is nested deeper than ${maxDepth} levels`;
    if (typeof value === 'string' && !isSound(value)) return 'holds a NUL character or a lone surrogate';
    if (typeof value === 'number' && !isExact(value)) return 'holds a number that is not exact here; send it as text';
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (!isSound(name)) return 'holds a NUL character or a lone surrogate';
      waiting.push({ value: member, depth: depth + 1 });
    }
  }
  return undefined;
}

/** False for an integer that may have been rounded, and for a number beyond the largest one. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function isSound(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
