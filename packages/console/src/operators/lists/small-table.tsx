import type { ReactNode } from 'react';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';

/** A column of a small table. */
export interface SmallColumn<T> {
  readonly title: ReactNode;
  readonly isNumber?: boolean;
  /** `whole` is never broken, `long` has more room before it is, `actions` stays in sight while the table is scrolled sideways. */
  readonly text?: 'whole' | 'long' | 'actions';
  readonly cell: (row: T) => ReactNode;
}

/** A table of some rows. A narrow page scrolls it sideways, also by keyboard. */
export function SmallTable<T>(props: {
  readonly label: string;
  readonly columns: readonly SmallColumn<T>[];
  readonly rows: readonly T[] | undefined;
  readonly empty: string;
  readonly keyOf: (row: T) => string | number;
}) {
  const { label, columns, rows, empty, keyOf } = props;
  if (rows === undefined) return null;
  if (rows.length === 0) return <p className="quiet">{empty}</p>;
  return (
    <div className="small-table" role="group" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, text = '' }, index) => (
              <th key={index} className={isNumber === true ? 'number' : text}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-place={`${label} ${keyOf(row)}`}>
              {columns.map(({ cell, isNumber, text = '' }, index) => (
                <td key={index} className={isNumber === true ? 'number' : text}>
                  <Cell content={cell(row)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ content }: { readonly content: ReactNode }) {
  return typeof content === 'string' ? <OutsideText text={content} /> : content;
}
