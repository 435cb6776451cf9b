import { attributesOfEntry } from './attributes-of-entry.ts';
import type { OpenHandle } from './handle-table.ts';
import type { Operation, RequestOf } from './operation.ts';

/** FSTAT. A file being written is shown as STAT will show it when it is closed. */
export const statHandle: Operation<RequestOf<'fstat'>> = async ({ id, handle }, { handles }) => ({
  type: 'attrs',
  id,
  attributes: attributesOfEntry(descriptionOf(handles.get(handle))),
});

function descriptionOf(open: OpenHandle) {
  switch (open.kind) {
    case 'writing':
    case 'growing':
      return open.file.describe();
    case 'reading':
      return open.file.description;
    default:
      return open.description;
  }
}
