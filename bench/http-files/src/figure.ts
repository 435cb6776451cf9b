/** What was measured, and what it is measured against. */
export interface Figure {
  readonly name: string;
  /** With its unit. */
  readonly ours: string;
  /** Of the other side of a comparison, with its unit. */
  readonly peer?: string;
  /** What is held against the budget: a ratio of medians, milliseconds or MiB. */
  readonly value: number;
  readonly budget?: Budget;
}

/** What a value has to reach, or not to exceed. */
export interface Budget {
  readonly kind: 'at least' | 'at most';
  readonly limit: number;
  readonly unit: '×' | 'ms' | 'MiB';
}

/** True when a figure keeps its budget, or has none. */
export function isMet({ value, budget }: Figure): boolean {
  if (budget === undefined) return true;
  return budget.kind === 'at least' ? value >= budget.limit : value <= budget.limit;
}
