import { skipToken, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-aria-components';
import { BusyButton } from '../../page-kit/components/busy-button.tsx';
import { formatExactTime } from '../../page-kit/format/format-time.ts';
import { useFilters } from '../address/use-filters.ts';
import { usePermissions } from '../api/permissions.ts';
import { Failure, PageFrame } from '../frame/page-frame.tsx';
import { FilterChoice, FilterText } from '../lists/filter-fields.tsx';
import { SmallTable } from '../lists/small-table.tsx';
import { texts } from '../texts/texts.ts';
import { filesOf, findRecords, type FoundFile, searchKinds } from './find-files.ts';
import { useRecordSource } from './record-source.ts';

const { story } = texts;
const filterNames = ['by', 'text'] as const;

/** Finds files by what is known of them. The search is in the address. */
export function FileSearchPage() {
  const [{ by, text = '' }, change] = useFilters(filterNames);
  const kind = searchKinds.find((one) => one === by) ?? 'path';
  const source = useRecordSource();
  // What belongs to a partner is known of activity alone.
  const mayNamePartner = usePermissions().may('activity:read');
  const choices = searchKinds
    .filter((one) => one !== 'partner' || mayNamePartner)
    .map((one) => [one, story.kinds[one]] as const);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['files', source?.name, kind, text],
    queryFn:
      source && text !== ''
        ? ({ signal, pageParam }) => findRecords(source, { kind, text }, { cursor: pageParam, signal })
        : skipToken,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    retry: false,
  });
  const records = data?.pages.reduce((sum, { rows }) => sum + rows.length, 0) ?? 0;
  return (
    <PageFrame title={story.title}>
      <section className="filters" aria-label={story.search}>
        <FilterChoice label={story.by} value={kind} choices={choices} onChange={(value) => change({ by: value })} />
        <FilterText label={story.kinds[kind]} value={text} onChange={(value) => change({ text: value })} />
      </section>
      <p className="quiet">{story.hints[kind]}</p>
      <Failure error={text === '' ? null : error} />
      {text !== '' && data !== undefined && <FoundFiles files={filesOf(data.pages)} />}
      {hasNextPage && (
        <div className="buttons">
          <span>{story.searched(records)}</span>
          <BusyButton className="button" isBusy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {story.searchOlder}
          </BusyButton>
        </div>
      )}
    </PageFrame>
  );
}

function FoundFiles({ files }: { readonly files: readonly FoundFile[] }) {
  return (
    <SmallTable
      label={story.found}
      rows={files}
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
        { title: story.last, cell: ({ time }) => <time dateTime={time}>{formatExactTime(time)}</time> },
      ]}
    />
  );
}
