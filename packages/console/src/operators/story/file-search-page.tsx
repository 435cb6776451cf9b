import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-aria-components';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { useFilters } from '../address/use-filters.ts';
import { Failure, PageFrame } from '../frame/page-frame.tsx';
import { FilterChoice, FilterText } from '../lists/filter-fields.tsx';
import { SmallTable } from '../lists/small-table.tsx';
import { texts } from '../texts/texts.ts';
import { findFiles, searchKinds } from './find-files.ts';

const { story } = texts;
const filterNames = ['by', 'text'] as const;
const choices = searchKinds.map((kind) => [kind, story.kinds[kind]] as const);

/** Finds files by what is known of them. The search is in the address. */
export function FileSearchPage() {
  const [{ by, text = '' }, change] = useFilters(filterNames);
  const kind = searchKinds.find((one) => one === by) ?? 'path';
  const { data, error } = useQuery({
    queryKey: ['files', kind, text],
    queryFn: ({ signal }) => findFiles(kind, text, signal),
    enabled: text !== '',
    retry: false,
  });
  return (
    <PageFrame title={story.title}>
      <section className="filters" aria-label={story.search}>
        <FilterChoice label={story.by} value={kind} choices={choices} onChange={(value) => change({ by: value })} />
        <FilterText label={story.kinds[kind]} value={text} onChange={(value) => change({ text: value })} />
      </section>
      <p className="quiet">{story.hints[kind]}</p>
      <Failure error={text === '' ? null : error} />
      <SmallTable
        label={story.found}
        rows={text === '' ? undefined : data}
        empty={story.none}
        keyOf={({ dfiid }) => dfiid}
        columns={[
          {
            title: story.kinds.path,
            cell: ({ dfiid, path }) => (
              <Link href={`/files/${encodeURIComponent(dfiid)}`}>
                <bdi>{path}</bdi>
              </Link>
            ),
          },
          { title: story.user, cell: ({ user }) => <bdi>{user}</bdi> },
          { title: story.last, cell: ({ time }) => <time dateTime={time}>{formatTime(time)}</time> },
        ]}
      />
    </PageFrame>
  );
}
