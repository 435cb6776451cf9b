import { z } from 'zod';
import { defaultOf, settingsAt } from './list-filters.ts';
import type { AdministeredResource } from './resource.ts';

/** A setting by which objects are sorted, and its value where it is absent. */
export interface SortSetting {
  readonly setting: string;
  /** Undefined: absent ones are last in ascending order, and first in descending order. */
  readonly byDefault: unknown;
}

/** The parameter that sorts a list of objects: by name, or by one of their settings. A space is a plus that was not encoded. */
export function sortShape(resource: AdministeredResource) {
  const words = ['name', ...sortsOf(resource)];
  const [first = 'name', ...others] = ['', '+', ' ', '-'].flatMap((sign) => words.map((word) => `${sign}${word}`));
  return {
    sort: z
      .enum([first, ...others], { error: `must be ${words.join(' or ')}, after - for descending order` })
      .default('name')
      .describe(
        words.length === 1
          ? 'By name, ascending or descending'
          : 'Ascending or descending; equal ones by name. Those without the setting are last in ascending order, and first in descending order',
      ),
  };
}

/** The setting that a query sorts by; undefined: the name. */
export function sortSettingOf(resource: AdministeredResource, sort: string): SortSetting | undefined {
  const setting = sort.replace(/^[-+ ]/u, '');
  if (!sortsOf(resource).includes(setting)) return undefined;
  const byDefault = settingsAt(resource, setting)
    .map(defaultOf)
    .find((value) => value !== undefined);
  return { setting, byDefault };
}

/** What a list is sorted by, besides the name: settings, and what the platform notes. */
export function sortsOf({ sorts = [], times = [] }: AdministeredResource): readonly string[] {
  return [...sorts, ...times.map(({ name }) => name)];
}
