/** A measured value, and the value to compare it with. */
export interface Figure {
  readonly name: string;
  /** With its unit. */
  readonly ours: string;
  /** The value of the other side, with its unit. */
  readonly peer?: string;
  /** The value compared with the budget: a ratio of medians, milliseconds or MiB. */
  readonly value: number;
  readonly budget?: Budget;
}

/** The minimum or maximum of a value. */
export interface Budget {
  readonly kind: 'at least' | 'at most';
  readonly limit: number;
  readonly unit: '×' | 'ms' | 'MiB';
}

/** Whether a figure keeps its budget, or has none. */
export function isMet({ value, budget }: Figure): boolean {
  if (budget === undefined) return true;
  return budget.kind === 'at least' ? value >= budget.limit : value <= budget.limit;
}
