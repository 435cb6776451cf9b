import { Button } from 'react-aria-components';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import type { ChangeFilters, Filters } from '../address/use-filters.ts';
import { texts } from '../texts/texts.ts';

/** For a list without rows: each finds what begins with a value that is compared as a whole. */
export function BeginningButtons<K extends string>(props: {
  readonly filters: Filters<K>;
  /** The filters in which a value may end in `*`. */
  readonly names: readonly K[];
  readonly onChange: ChangeFilters<K>;
}) {
  const { filters, names, onChange } = props;
  return (
    <div className="buttons centred">
      {names.map((name) => {
        const value = filters[name];
        if (value === undefined || value.endsWith('*')) return null;
        const change: Partial<Record<K, string>> = {};
        change[name] = `${value}*`;
        return (
          <Button key={name} className="button" onPress={() => onChange(change)}>
            <OutsideText text={texts.findBeginning(value)} />
          </Button>
        );
      })}
    </div>
  );
}
