import { Button } from 'react-aria-components';
import type { ChangeFilters } from '../address/use-filters.ts';
import { FilterByName } from '../lists/filter-by-name.tsx';
import { FilterText } from '../lists/filter-fields.tsx';
import { texts } from '../texts/texts.ts';
import { type UploadFilterName, uploadFilterNames, type UploadFilters } from './upload-filters.ts';

const { uploads: words } = texts;

const names = [
  ['userName', words.user, 'users'],
  ['actor', words.partner, 'actors'],
  ['virtualFileSystem', words.vfs, 'virtual-file-systems'],
] as const;

/** The filters of the list of unfinished uploads. */
export function UploadFilterBar(props: {
  readonly filters: UploadFilters;
  readonly onChange: ChangeFilters<UploadFilterName>;
}) {
  const { filters, onChange } = props;
  const clear = (): void => onChange(Object.fromEntries(uploadFilterNames.map((name) => [name, undefined])));
  return (
    <section className="filters" aria-label={words.filters}>
      {names.map(([name, label, collection]) => (
        <FilterByName
          key={name}
          label={label}
          collection={collection}
          value={filters[name] ?? ''}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      <FilterText label={words.path} value={filters.path ?? ''} onChange={(path) => onChange({ path })} />
      {Object.keys(filters).length > 0 && (
        <Button className="button" onPress={clear}>
          {words.clearFilters}
        </Button>
      )}
      <p className="quiet whole-line">{words.filterHint}</p>
    </section>
  );
}
