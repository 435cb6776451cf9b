import { texts } from '../texts.ts';

/** A box that selects every row of a list, or deselects all if all are selected. */
export interface SelectAllBoxProps {
  /** How many rows are selected. */
  readonly selected: number;
  readonly total: number;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
}

/** See `SelectAllBoxProps`. */
export function SelectAllBox({ selected, total, onSelectAll, onClear }: SelectAllBoxProps) {
  const isAll = total > 0 && selected >= total;
  return (
    <input
      type="checkbox"
      aria-label={texts.selectAll}
      checked={isAll}
      ref={(box) => {
        // React knows no attribute for it.
        if (box !== null) box.indeterminate = selected > 0 && !isAll;
      }}
      onChange={isAll ? onClear : onSelectAll}
    />
  );
}
