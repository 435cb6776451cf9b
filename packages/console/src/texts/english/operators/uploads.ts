import { number, plural } from '../../numbers.ts';

const uploadsInWords = (count: number) => plural(count, { one: '1 upload', other: `${number(count)} uploads` });

/** The texts of the page of unfinished uploads, in English. */
export const uploads = {
  title: 'Unfinished uploads',
  page: 'Uploads',
  all: 'All unfinished uploads, also interrupted ones',
  filters: 'Filters',
  clearFilters: 'Clear all filters',
  filterHint: 'Names are compared as a whole. A path is that of a file, or of a folder with everything below it.',
  list: 'Unfinished uploads, newest first',
  none: 'There are no unfinished uploads.',
  noneMatches: 'No unfinished upload matches the filters.',
  user: 'User',
  partner: 'Partner',
  vfs: 'Virtual file system',
  path: 'Path',
  file: 'File',
  place: (vfs: string, path: string) => `${vfs}: ${path}`,
  removedVfs: 'removed virtual file system',
  deletedFolder: 'the folder was deleted',
  arrived: 'Arrived',
  arrivedOf: (bytes: string, length: string) => `${bytes} of ${length}`,
  unknownSize: 'not known: the storage does not answer',
  state: 'State',
  states: { running: 'Running', interrupted: 'Interrupted' },
  protocol: 'Protocol',
  job: 'Job',
  since: 'Since',
  keptUntil: 'Kept until',
  select: (file: string, user: string, time: string) => `Select the upload of ${file} by ${user}, begun ${time}`,
  nameOf: (file: string, user: string, bytes: string) => `${file} by ${user}, ${bytes}`,
  selected: (count: number) => `${uploadsInWords(count)} selected`,
  clearSelection: 'Clear the selection',
  delete: 'Delete',
  deleteTitle: (count: number | undefined) =>
    count === undefined ? 'Delete all unfinished uploads that match?' : `Delete ${uploadsInWords(count)}?`,
  matchingBound: (most: number) => `All that match the filters (at most ${number(most)})`,
  onlyListed: (most: number) =>
    `At most ${number(most)} are deleted at once, and only those that are listed here: what matches since is left alone.`,
  tooMany: (most: number) => `More than ${number(most)} match. Narrow the filters: nothing was deleted.`,
  counting: (count: number) => `Finding out what would be deleted: ${uploadsInWords(count)} so far…`,
  wouldChange: (count: number) => (count === 0 ? 'Nothing matches.' : `${uploadsInWords(count)} would be deleted.`),
  deleteEffect:
    'What has arrived is deleted, and cannot be resumed. A client that is sending is refused, and can begin again: freeze the user to prevent that.',
  running: (done: number, count: number) => `${number(done)} of ${uploadsInWords(count)} so far…`,
  outcomes: (deleted: number, refused: number) =>
    `${uploadsInWords(deleted)} deleted${refused === 0 ? '.' : `, ${number(refused)} not deleted.`}`,
  results: 'Result for each',
  deleted: 'Deleted',
} as const;
