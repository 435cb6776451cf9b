import { Link } from 'react-aria-components';
import { formatExactTime } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { type ChangeFilters, useFilters } from '../address/use-filters.ts';
import { usePermissions } from '../api/permissions.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { BeginningButtons } from '../lists/beginning-buttons.tsx';
import { type Column, exactTimeRem, VirtualTable } from '../lists/virtual-table.tsx';
import { texts } from '../texts/texts.ts';
import { FileFilterBar } from './file-filter-bar.tsx';
import {
  type FileFilterName,
  fileFilterNames,
  filePageSize,
  type FileFilters,
  findFiles,
  type FoundFile,
} from './find-files.ts';
import { operationInWords } from './operation-in-words.ts';

const { story } = texts;

/** Finds files by what is known of them. The search is in the address. */
export function FileSearchPage() {
  const [filters, change] = useFilters(fileFilterNames);
  const { userName, may } = usePermissions();
  // Partners and virtual file systems of records are known of activity alone.
  const mayNameActor = may('activity:read');
  return (
    <PageFrame title={story.title}>
      <FileFilterBar {...{ filters, mayNameActor }} onChange={change} />
      {userName !== undefined && (
        <FileTable key={JSON.stringify(filters)} {...{ filters, change }} isOfActivity={mayNameActor} />
      )}
    </PageFrame>
  );
}

const columns: readonly Column<FoundFile>[] = [
  {
    name: 'path',
    title: story.kinds.path,
    rem: 13,
    share: 2,
    cell: ({ dfiid, path }) => (
      <Link href={`/files/${encodeURIComponent(dfiid)}`}>
        <OutsideText text={path} hasTip />
      </Link>
    ),
  },
  {
    name: 'newPath',
    title: story.renamedTo,
    rem: 8,
    share: 1,
    cell: ({ newPath }) => <OutsideText text={newPath} hasTip />,
  },
  {
    name: 'actor',
    title: story.kinds.actor,
    rem: 6,
    share: 1,
    cell: ({ actor }) => <OutsideText text={actor} hasTip />,
  },
  { name: 'vfs', title: story.kinds.vfs, rem: 10.75, share: 1, cell: ({ vfs }) => <OutsideText text={vfs} hasTip /> },
  { name: 'user', title: story.user, rem: 6, share: 1, cell: ({ user }) => <OutsideText text={user} hasTip /> },
  {
    name: 'operation',
    title: story.last,
    rem: 9,
    cell: ({ operation }) => operationInWords(operation),
  },
  {
    name: 'time',
    title: story.lastAt,
    rem: exactTimeRem,
    cell: ({ time }) => <time dateTime={time}>{formatExactTime(time)}</time>,
  },
];

const ofActivity: ReadonlySet<string> = new Set(['actor', 'vfs']);
const columnsOfLog = columns.filter(({ name }) => !ofActivity.has(name));

/** Usually only the beginning of these is known. */
const begun = ['name', 'path'] as const;

function FileTable(props: {
  readonly filters: FileFilters;
  readonly change: ChangeFilters<FileFilterName>;
  readonly isOfActivity: boolean;
}) {
  const { filters, change, isOfActivity } = props;
  const source = isOfActivity ? 'activity' : 'log';
  return (
    <VirtualTable
      label={story.found}
      columns={isOfActivity ? columns : columnsOfLog}
      empty={Object.keys(filters).length > 0 ? story.noneWhole : story.none}
      whenEmpty={<BeginningButtons filters={filters} names={begun} onChange={change} />}
      keyOf={({ dfiid, vfs = '', path, newPath = path }) => JSON.stringify([dfiid, vfs, path, newPath])}
      source={{
        queryKey: ['files', source, filters],
        pageSize: filePageSize,
        refreshEveryMs: false,
        read: (cursor, signal) => findFiles(source, filters, { cursor, signal }),
      }}
    />
  );
}
