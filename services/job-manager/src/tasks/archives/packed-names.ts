import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type FilePlace, nameOfPlace, splitFilePlace } from '@waybill/contracts/tasks/file-place';
import { isWithin } from '@waybill/contracts/values/virtual-path';

/** A file with its name in an archive. */
export interface PackedSource {
  readonly place: FilePlace;
  readonly name: string;
}

/** The names of files in an archive. @throws CodedError `validation_failed`: outside of the base, or a name that occurs twice */
export function namePacked(sources: readonly FilePlace[], base: FilePlace | undefined): PackedSource[] {
  const seen = new Set<string>();
  return sources.map((place) => {
    const name = base === undefined ? nameOfPlace(place) : nameBelow(place, base);
    if (name === '') throw new CodedError('validation_failed', { detail: `sources: ${place} has no name` });
    if (seen.has(name)) throw new CodedError('validation_failed', { detail: `sources: the name ${name} occurs twice` });
    seen.add(name);
    return { place, name };
  });
}

function nameBelow(place: FilePlace, base: FilePlace): string {
  const [file, folder] = [splitFilePlace(place), splitFilePlace(base)];
  if (file.vfs !== folder.vfs || !isWithin(file.path, folder.path)) {
    throw new CodedError('validation_failed', { detail: `sources: ${place} is not below ${base}` });
  }
  return file.path.slice(folder.path.length).replace(/^\//u, '');
}
