import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { type CommandOption, type Invocation, UsageError } from '../../command.ts';
import { textOption } from '../../platform/option-values.ts';

/** The filters of all collections, as options: `storageClass` is `--storage-class`. */
export const filterOptions: Readonly<Record<string, CommandOption>> = Object.fromEntries(
  administeredResources.flatMap((resource) => namesOf(resource).map((name) => [optionOf(name), filterOption(name)])),
);

function filterOption(name: string): CommandOption {
  const filtered = administeredResources.filter((resource) => namesOf(resource).includes(name));
  const places = filtered.map(({ collection, filters = [] }) => {
    const setting = filters.find((filter) => filter.name === name)?.setting;
    return setting === undefined ? `\`${collection}\`` : `\`${collection}\` (${setting})`;
  });
  return { ...textOption('value', `Filters ${places.join(', ')}.`), heading: 'Filters of collections:' };
}

/** The filters that a command gives to a collection. @throws UsageError for those that it does not have */
export function givenFilters(
  resource: Filtered & Pick<AdministeredResource, 'collection'>,
  values: Invocation['values'],
): Record<string, string> {
  const { collection } = resource;
  const known = new Map(namesOf(resource).map((name) => [optionOf(name), name]));
  const given = Object.keys(filterOptions).filter((option) => values[option] !== undefined);
  return Object.fromEntries(
    given.map((option) => {
      const name = known.get(option);
      if (name !== undefined) return [name, String(values[option])];
      const others = [...known.keys()].map((each) => `--${each}`).join(', ');
      throw new UsageError(`--${option} does not filter ${collection}${others === '' ? '' : `: there are ${others}`}`);
    }),
  );
}

type Filtered = Pick<AdministeredResource, 'filters' | 'times'>;

function namesOf({ filters = [], times = [] }: Filtered): readonly string[] {
  return [...filters.map(({ name }) => name), ...times.map(({ before }) => before)];
}

function optionOf(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}
