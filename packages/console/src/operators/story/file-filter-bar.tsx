import { Button } from 'react-aria-components';
import type { ChangeFilters } from '../address/use-filters.ts';
import { FilterByName } from '../lists/filter-by-name.tsx';
import { FilterText } from '../lists/filter-fields.tsx';
import { texts } from '../texts/texts.ts';
import { type FileFilterName, fileFilterNames, type FileFilters } from './find-files.ts';

const { story } = texts;
const usual: readonly FileFilterName[] = ['name', 'actor', 'vfs'];
const further = fileFilterNames.filter((name) => !usual.includes(name));

/** Whose names are suggested. */
const collections: ReadonlyMap<FileFilterName, string> = new Map([
  ['actor', 'actors'],
  ['vfs', 'virtual-file-systems'],
]);

interface FilterProps {
  readonly filters: FileFilters;
  readonly onChange: ChangeFilters<FileFilterName>;
}

/** What files are searched by. The partner can be named where the partners of files are known. */
export function FileFilterBar({ filters, onChange, mayNameActor }: FilterProps & { readonly mayNameActor: boolean }) {
  const names = fileFilterNames.filter((name) => filters[name] !== undefined);
  return (
    <section className="filters" aria-label={story.search}>
      <TextFilters names={usual.filter((name) => name !== 'actor' || mayNameActor)} {...{ filters, onChange }} />
      <details className="further" open={further.some((name) => names.includes(name)) || undefined}>
        <summary>{story.moreFilters}</summary>
        <div className="filters">
          <TextFilters names={further} {...{ filters, onChange }} />
        </div>
      </details>
      {names.length > 0 && (
        <Button className="button" onPress={() => onChange(Object.fromEntries(names.map((name) => [name, undefined])))}>
          {story.clearFilters}
        </Button>
      )}
      <p className="quiet whole-line">{story.hint}</p>
    </section>
  );
}

function TextFilters({ names, filters, onChange }: FilterProps & { readonly names: readonly FileFilterName[] }) {
  return names.map((name) => {
    const value = filters[name] ?? '';
    const field = { label: story.kinds[name], value, onChange: (text?: string) => onChange({ [name]: text }) };
    const collection = collections.get(name);
    if (collection === undefined) return <FilterText key={name} {...field} />;
    return <FilterByName key={name} {...field} collection={collection} />;
  });
}
