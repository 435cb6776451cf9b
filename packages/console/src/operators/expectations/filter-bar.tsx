import { expectationStateSchema } from '@waybill/contracts/endpoints/expectations/expectation-view';
import { Button } from 'react-aria-components';
import type { ChangeFilters } from '../address/use-filters.ts';
import { FilterByName } from '../lists/filter-by-name.tsx';
import { FilterChoice, FilterText, FilterTime } from '../lists/filter-fields.tsx';
import { texts } from '../texts/texts.ts';
import { type ExpectationFilterName, expectationFilterNames, type ExpectationFilters } from './expectation-filters.ts';

const { expectations: words } = texts;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const states = expectationStateSchema.options.map((state) => [state, words.states[state]] as const);

/** The filters of the list of expected files. */
export function FilterBar(props: {
  readonly filters: ExpectationFilters;
  readonly onChange: ChangeFilters<ExpectationFilterName>;
}) {
  const { filters, onChange } = props;
  const clear = (): void => onChange(Object.fromEntries(expectationFilterNames.map((name) => [name, undefined])));
  return (
    <section className="filters" aria-label={words.filters}>
      <FilterChoice
        label={words.state}
        value={filters.state ?? ''}
        choices={[['', words.any], ...states]}
        onChange={(state) => onChange({ state })}
      />
      <FilterByName
        label={words.partner}
        collection="actors"
        value={filters.actor ?? ''}
        onChange={(actor) => onChange({ actor })}
      />
      <FilterByName
        label={words.contract}
        collection="contracts"
        value={filters.contract ?? ''}
        onChange={(contract) => onChange({ contract })}
      />
      <FilterText
        label={words.expectation}
        value={filters.expectation ?? ''}
        onChange={(expectation) => onChange({ expectation })}
      />
      <FilterTime label={words.from(zone)} value={filters.dueFrom} onChange={(dueFrom) => onChange({ dueFrom })} />
      <FilterTime label={words.to(zone)} value={filters.dueTo} onChange={(dueTo) => onChange({ dueTo })} />
      {Object.keys(filters).length > 0 && (
        <Button className="button" onPress={clear}>
          {words.clearFilters}
        </Button>
      )}
      <p className="quiet whole-line">{words.exactHint}</p>
    </section>
  );
}
