import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';

/** Where a change is in a request that may have several, as the fields of errors name it. */
export interface ChangePlace {
  /** `changes[2]` */
  readonly change: string;
  /** Where its settings are: `changes[2].create` */
  readonly settings: string;
}

/**
 * Names the change that an error is about: its wrong fields with their place in the request, otherwise the change as a whole.
 * Errors that are no refusals, and those of a change without a place, stay as they are.
 */
export function errorOfChange(error: unknown, place: ChangePlace | undefined): unknown {
  if (place === undefined || !isCodedError(error)) return error;
  const isOfSettings = error.code === 'validation_failed' && error.fields.length > 0;
  const fields = isOfSettings
    ? error.fields.map((fault) => ({ ...fault, field: `${place.settings}.${fault.field}` }))
    : [{ field: place.change, message: error.message }, ...error.fields];
  return new CodedError(error.code, { detail: error.message, names: error.names, fields, cause: error });
}

/** Does what belongs to a change. @throws what `work` throws, as `errorOfChange` names it */
export async function inChange<Result>(place: ChangePlace | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw errorOfChange(error, place);
  }
}
