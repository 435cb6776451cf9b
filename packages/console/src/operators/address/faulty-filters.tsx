import type { z } from 'zod';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../texts/texts.ts';
import type { Filters } from './use-filters.ts';

/**
 * The filters that the interface does not take, as `name=value`: an address may have been written by hand. `input`: what of them is
 * checked with the schema; default: all by their names.
 */
export function findFaultyFilters(schema: z.ZodType, filters: Filters<string>, input: unknown = filters) {
  const names = new Set(schema.safeParse(input).error?.issues.map(({ path: [name] }) => name));
  return Object.entries(filters).flatMap(([name, value]) => (names.has(name) ? [`${name}=${value ?? ''}`] : []));
}

/** Says which filters of the address nothing can match: the page shows nothing then. */
export function FaultyFilters({ faulty }: { readonly faulty: readonly string[] }) {
  return (
    <p className="failure" role="alert">
      {texts.faultyFilters(faulty.length)}{' '}
      {faulty.map((filter, index) => (
        <span key={filter}>
          {index > 0 && ', '}
          <OutsideText text={filter} />
        </span>
      ))}
    </p>
  );
}
