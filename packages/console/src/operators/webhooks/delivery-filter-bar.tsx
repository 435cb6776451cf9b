import { outcomeSchema } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-view';
import { Button } from 'react-aria-components';
import type { ChangeFilters } from '../address/use-filters.ts';
import { FilterChoice, FilterText } from '../lists/filter-fields.tsx';
import { texts } from '../texts/texts.ts';
import { type DeliveryFilterName, deliveryFilterNames, type DeliveryFilters } from './delivery-filters.ts';

const { webhooks: words } = texts;

const outcomes = outcomeSchema.options.map((outcome) => [outcome, words.outcome[outcome]] as const);

/** The filters of the list of deliveries. */
export function DeliveryFilterBar(props: {
  readonly filters: DeliveryFilters;
  readonly onChange: ChangeFilters<DeliveryFilterName>;
}) {
  const { filters, onChange } = props;
  const clear = (): void => onChange(Object.fromEntries(deliveryFilterNames.map((name) => [name, undefined])));
  return (
    <section className="filters" aria-label={words.filters}>
      <FilterChoice
        label={words.outcomeTitle}
        value={filters.outcome ?? ''}
        choices={[['', words.any], ...outcomes]}
        onChange={(outcome) => onChange({ outcome })}
      />
      <FilterText
        label={words.connection}
        value={filters.connection ?? ''}
        onChange={(connection) => onChange({ connection })}
      />
      <FilterText label={words.job} value={filters.job ?? ''} onChange={(job) => onChange({ job })} />
      {Object.keys(filters).length > 0 && (
        <Button className="button" onPress={clear}>
          {words.clearFilters}
        </Button>
      )}
    </section>
  );
}
