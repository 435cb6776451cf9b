import type { Permission } from '@waybill/contracts/values/permission';
import { operations, type OperationName, type Outcome } from './door.ts';
import type { Situation, TestUser } from './situations.ts';

type Users = (user: TestUser) => boolean;

/** What the user learns over SFTP and over HTTP, by which operations in which situations, and which users. */
export type DifferenceRow = readonly [Outcome, Outcome, readonly OperationName[], readonly Situation[], Users];

/** Where the two doors answer differently, and why they have to. */
export interface AcceptedDifference {
  readonly reason: string;
  readonly rows: readonly DifferenceRow[];
}

const everyone: Users = () => true;
const may =
  (...permissions: readonly Permission[]): Users =>
  ({ inPlace }) =>
    permissions.some((one) => inPlace.includes(one));
/** Users with some other permission. */
const mayNot =
  (...permissions: readonly Permission[]): Users =>
  (user) =>
    user.inPlace.length > 0 && !may(...permissions)(user);
const all =
  (...tests: readonly Users[]): Users =>
  (user) =>
    tests.every((test) => test(user));
const mayAsk = may('list', 'download', 'delete', 'rename');
const mayNotAsk = mayNot('list', 'download', 'delete', 'rename');
const mayOnlyListFolderAbove: Users = ({ above }) => above.includes('list');

const folders = ['empty folder', 'full folder'] as const;
const hidden = ['hidden file', 'hidden folder', 'hidden nothing'] as const;
const belowHidden = ['below hidden folder', 'below hidden nothing'] as const;
const missingAbove = ['no folder above', 'file above'] as const;
const files = ['own file', 'file of another'] as const;
const mounts = ['mount', 'way to a mount', 'way inside a mount'] as const;
const upload = ['unfinished upload'] as const;
const inPlace = [...files, ...folders, ...upload, 'nothing', ...missingAbove, ...hidden, ...belowHidden] as const;

/** All of them: another difference fails the test, and so does a row that is not true any more. */
export const acceptedDifferences: readonly AcceptedDifference[] = [
  {
    reason: 'What listings do not show is missing over SFTP; the HTTP interface has 403 for a missing permission',
    rows: [
      ['missing', 'refused', operations, inPlace, mayOnlyListFolderAbove],
      ['missing', 'refused', operations, belowHidden, may('list')],
      ['missing', 'refused', ['look', 'list', 'archive', 'download', 'write on'], hidden, may('list')],
      ['missing', 'refused', ['remove file', 'remove folder'], hidden, may('list')],
      ['missing', 'refused', ['rename in its folder', 'move out', 'set metadata', 'set time'], hidden, may('list')],
    ],
  },
  {
    reason: 'The HTTP interface checks the permission before the file',
    rows: [
      ['missing', 'refused', ['download'], ['nothing'], all(may('list'), mayNot('download'))],
      ['missing', 'refused', ['write on'], ['nothing'], all(may('list'), mayNot('upload'))],
      ['missing', 'refused', ['remove file', 'remove folder'], ['nothing'], all(may('list'), mayNot('delete'))],
      ['missing', 'refused', ['rename in its folder', 'move out'], ['nothing'], all(may('list'), mayNot('rename'))],
    ],
  },
  {
    reason:
      'SFTP clients need STAT, whatever their users may do; HTTP has only D7, of files and with the permission to read',
    rows: [
      ['done', 'refused', ['look'], ['own file', ...upload], mayNot('download')],
      ['done', 'refused', ['look'], ['file of another'], all(mayNot('download'), mayAsk)],
      ['missing', 'refused', ['look'], ['file of another'], mayNotAsk],
      ['done', 'refused', ['look'], folders, mayNot('list', 'download')],
      ['done', 'other', ['look'], folders, may('list', 'download')],
      ['done', 'other', ['look'], mounts, everyone],
      ['missing', 'refused', ['look'], ['nothing'], mayNot('download')],
      ['missing', 'refused', ['look'], missingAbove, mayNot('list', 'download')],
    ],
  },
  {
    reason: 'OPENDIR and SETSTAT tell no more than STAT does; the HTTP interface checks the permission first',
    rows: [
      ['missing', 'refused', ['list', 'archive'], ['nothing', ...missingAbove], mayNot('list')],
      ['missing', 'refused', ['list', 'archive'], ['file of another'], mayNotAsk],
      ['missing', 'refused', ['set metadata', 'set time'], ['nothing'], mayNot('upload')],
      ['missing', 'refused', ['set metadata', 'set time'], missingAbove, mayNot('upload', 'list')],
      ['missing', 'refused', ['set metadata', 'set time'], ['file of another'], all(mayNotAsk, mayNot('upload'))],
    ],
  },
  {
    reason: 'The HTTP interface has no other failure than "Path doesn\'t exist" for D8 and D9',
    rows: [['other', 'missing', ['list'], files, may('list')]],
  },
  {
    reason: 'The HTTP interface answers 400 "No filename specified" when only a folder is given',
    rows: [
      ['refused', 'other', ['download'], folders, all(may('list'), mayNot('download'))],
      ['refused', 'other', ['remove file'], folders, all(may('list'), mayNot('delete'))],
      ['refused', 'other', ['upload', 'write on', 'set time'], folders, all(may('list'), mayNot('upload'))],
      ['refused', 'other', ['upload where nothing is'], folders, all(may('list'), mayNot('upload'))],
      ['refused', 'other', ['upload where nothing is'], folders, all(mayNotAsk, may('upload'))],
    ],
  },
  {
    reason: 'Over HTTP a file that must be there is a condition, which asks for its version and is not met with 412',
    rows: [
      ['missing', 'other', ['write on'], ['nothing'], all(may('upload'), may('list', 'download'))],
      ['missing', 'refused', ['write on'], ['file of another', 'nothing'], all(may('upload'), mayNotAsk)],
      ['done', 'refused', ['write on'], ['own file', ...upload], all(may('upload'), mayNotAsk)],
    ],
  },
  {
    reason:
      'Over SFTP users see their own unfinished uploads, to resume them; the HTTP interface has delivered files only',
    rows: [
      ['done', 'missing', ['look'], upload, may('download')],
      ['other', 'missing', ['download'], upload, may('download')],
      ['other', 'done', ['upload where nothing is', 'move a file in'], upload, all(may('upload'), mayAsk)],
      ['other', 'done', ['move a folder in'], upload, all(may('upload'), may('createFolder'), mayAsk)],
      ['done', 'other', ['write on'], upload, all(may('upload'), may('list', 'download'))],
      ['other', 'done', ['make folder'], upload, may('createFolder')],
      ['done', 'missing', ['remove file'], upload, may('delete')],
      ['other', 'missing', ['remove folder'], upload, may('delete')],
      ['other', 'missing', ['rename in its folder', 'move out'], upload, may('rename')],
      ['done', 'refused', ['set metadata'], upload, mayNot('upload')],
      ['done', 'missing', ['set metadata', 'set time'], upload, may('upload')],
    ],
  },
  {
    reason:
      'STAT of SFTP shows files also to users who may only rename: HTTP shows them nothing, so they cannot ask for a free name',
    rows: [
      [
        'done',
        'refused',
        ['rename in its folder'],
        [...files, ...folders],
        all(may('rename'), mayNot('list', 'download')),
      ],
    ],
  },
  {
    reason: 'SFTP clients send attributes of folders without being asked; D6 of the HTTP interface is of files only',
    rows: [
      ['done', 'refused', ['set metadata'], folders, mayNot('upload', 'list')],
      ['done', 'other', ['set metadata'], folders, may('upload', 'list')],
      ['done', 'other', ['set metadata'], mounts, everyone],
      ['done', 'other', ['set time'], folders, may('upload')],
      ['done', 'other', ['set time'], ['mount'], everyone],
      ['refused', 'other', ['set time'], ['way to a mount', 'way inside a mount'], everyone],
    ],
  },
];
