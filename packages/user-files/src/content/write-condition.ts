import type { UploadOptions } from '@waybill/filebox/model/upload';
import { requireSight, requireVersionSight } from '../permissions/disclosure.ts';
import type { Asker } from '../permissions/file-user.ts';
import type { WritePlace } from './permit-writing.ts';

/** What must be at a path for a write to be made: nothing, or a file with one of these contents (SHA-256), or any file. */
export type WriteCondition =
  | { readonly kind: 'absent' }
  | { readonly kind: 'present'; readonly digests: readonly string[] | 'anything' };

/**
 * A condition asks what is there, which not every user may ask: whether the name is free, or which version of a file is there.
 * @throws CodedError `no_list_permission`, `path_not_found` (the folder)
 */
export async function requireConditionSight(
  asker: Asker,
  { access, path }: WritePlace,
  { kind }: { readonly kind: WriteCondition['kind'] | 'unmodified' },
): Promise<void> {
  // In that order of checks the folder was looked at when the write was permitted.
  if (kind === 'absent') await requireSight(asker, access, path, { isFolderThere: asker.door.checksInOrder });
  else requireVersionSight(access, path);
}

/**
 * How the file index keeps the condition until the commit, and hides from users who may not list what their write would tell
 * them: it then takes the room of a new file. A user who sees unfinished uploads takes a name only where none is.
 */
export function writeTermsOf({ door }: Pick<Asker, 'door'>, place: WritePlace, condition: WriteCondition | undefined) {
  return {
    overwrite: condition?.kind !== 'absent',
    besideUploads: condition?.kind !== 'absent' || door.showsUploadsOf === undefined,
    countsAsNew: !place.access.decide(place.path, 'list').allowed,
    ...(condition?.kind === 'present' && { inPlaceOf: condition.digests }),
  } satisfies Partial<UploadOptions>;
}
