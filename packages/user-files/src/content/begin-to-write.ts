import type { Location, Mounts } from '@waybill/directory/access/mounts';
import type { TransferRight } from '@waybill/filebox/model/transfer-right';
import type { Upload, UploadOptions } from '@waybill/filebox/model/upload';
import type { ResumeByIdOptions } from '@waybill/filebox/upload/uploads-by-id';
import type { FileUser } from '../permissions/file-user.ts';
import { restatePathError } from '../permissions/restate-path-error.ts';
import type { WritePlace } from './permit-writing.ts';
import { writeTermsOf, type WriteCondition } from './write-condition.ts';

/** What `user-files` decides of an upload; the protocol says the rest. */
type Decided = 'origin' | 'overwrite' | 'inPlaceOf' | 'besideUploads' | 'countsAsNew' | 'right' | 'vfsId' | 'path';

/** What both kinds of beginning have. */
interface Conditional {
  readonly condition?: WriteCondition | undefined;
}

/** The right to the upload, which can be withdrawn. What it throws refuses the upload. */
interface WithRight {
  readonly right: (location: Location, grantedBy: Mounts) => TransferRight;
}

/**
 * Begins a file where the user may write it.
 * @throws CodedError `path_not_found`, `not_a_file`, `already_exists`, `upload_in_progress`, `metadata_key_refused`,
 * `byte_limit_reached`, `file_limit_reached`
 */
export async function beginToWrite(
  user: FileUser<'beginUpload'>,
  place: WritePlace,
  { condition, right, ...how }: Omit<UploadOptions, Decided> & Conditional & WithRight,
): Promise<Upload> {
  const { location, access } = place;
  return restatePathError([place], () =>
    user.store.beginUpload(location.vfs.id, location.path, {
      ...how,
      ...writeTermsOf(user, place, condition),
      origin: user.originAt(location),
      right: right(location, access),
    }),
  );
}

/** As `beginToWrite`, for an upload that is kept between requests by its id, which is returned. */
export async function beginById(
  user: FileUser<'uploadsById'>,
  place: WritePlace,
  { condition, ...how }: Pick<ResumeByIdOptions, 'keptUntil' | 'metadata' | 'expectedBytes'> & Conditional,
): Promise<string> {
  const { vfs, path } = place.location;
  const { protocol } = user.originAt(place.location);
  const { overwrite, countsAsNew } = writeTermsOf(user, place, condition);
  const upload = { ...how, vfsId: vfs.id, path, userName: user.userName, protocol, overwrite, countsAsNew };
  return restatePathError([place], () => user.store.uploadsById.begin(upload));
}

/** Resumes an upload by its id. @throws CodedError `upload_in_progress`, `upload_unknown`, `metadata_key_refused` */
export async function resumeById(
  user: FileUser<'uploadsById'>,
  place: WritePlace,
  {
    id,
    condition,
    right,
    ...how
  }: Omit<ResumeByIdOptions, Decided> & Conditional & WithRight & { readonly id: string },
): Promise<Upload> {
  const { location, access } = place;
  return user.store.uploadsById.resume(id, {
    ...how,
    ...writeTermsOf(user, place, condition),
    vfsId: location.vfs.id,
    path: location.path,
    origin: user.originAt(location),
    right: right(location, access),
  });
}
