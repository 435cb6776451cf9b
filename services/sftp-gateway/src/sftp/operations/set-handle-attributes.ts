import type { Operation, RequestOf } from './operation.ts';
import { setAttributesOfOpen } from './set-attributes-of-open.ts';
import { okResponse } from './status-response.ts';

/** FSETSTAT. */
export const setHandleAttributes: Operation<RequestOf<'fsetstat'>> = async (request, { files, handles }) => {
  await setAttributesOfOpen(files, handles.get(request.handle), request.attributes);
  return okResponse(request);
};
