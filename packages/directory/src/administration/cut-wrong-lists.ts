import { optionsOf } from '@waybill/contracts/endpoints/unknown-removals';
import { z } from 'zod';

/** A value whose lists end where more errors would not be listed. */
interface CutValue {
  readonly value: unknown;
  readonly isCut: boolean;
}

/**
 * Ends the lists of a value after so many wrong items of all lists together: to find every error of a value that has a great many takes
 * a long time.
 */
export function cutWrongLists(schema: z.ZodType, value: unknown, wrongAtMost: number): CutValue {
  const cutting = new Cutting(wrongAtMost);
  return { value: cutting.visit(schema, value), isCut: cutting.isCut };
}

class Cutting {
  isCut = false;
  #left: number;

  constructor(wrongAtMost: number) {
    this.#left = wrongAtMost;
  }

  visit(schema: unknown, value: unknown): unknown {
    const inner = bare(schema);
    if (inner instanceof z.ZodArray) return Array.isArray(value) ? this.#cut(inner.element, value) : value;
    if (!isObject(value) || !(inner instanceof z.ZodType)) return value;
    const [option] = optionsOf(inner, value);
    if (!(option instanceof z.ZodObject)) return value;
    const { shape } = option;
    const visited = Object.keys(shape).flatMap((name): [string, unknown][] =>
      Object.hasOwn(value, name) ? [[name, this.visit(shape[name], value[name])]] : [],
    );
    return { ...value, ...Object.fromEntries(visited) };
  }

  #cut(element: unknown, items: readonly unknown[]): unknown[] {
    const kept: unknown[] = [];
    for (const item of items) {
      if (this.#left <= 0) {
        this.isCut = true;
        break;
      }
      const before = this.#left;
      const visited = this.visit(element, item);
      kept.push(visited);
      // What is wrong inside was counted there.
      if (this.#left === before && isWrong(element, visited)) this.#left -= 1;
    }
    return kept;
  }
}

function isWrong(schema: unknown, value: unknown): boolean {
  return schema instanceof z.ZodType && !schema.safeParse(value).success;
}

/** The schema of the values that are there. */
function bare(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
    ? bare(schema.unwrap())
    : schema;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
