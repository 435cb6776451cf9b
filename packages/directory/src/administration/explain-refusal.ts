import { CodedError, type FieldError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { type OnlyConfiguration, refuseSettings } from './only-entity.ts';

/** How a refusal is explained. */
interface Explanation {
  readonly settingOf: OnlyConfiguration['settingOf'];
  /** What uses the entity, if it is deleted, where that says more than what would be wrong without it; empty: it does not. */
  readonly usesOf?: () => readonly FieldError[];
}

/**
 * Runs what checks a change: its errors are those of the settings, or of entities that use this one.
 * @throws CodedError `validation_failed`, `entity_in_use`
 */
export async function explainRefusal<Result>(
  { settingOf, usesOf }: Explanation,
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    if (error.fields.length === 0) throw new CodedError('entity_in_use', { detail: error.message, cause: error });
    const fields = error.fields.map((fault) => ({ ...fault, own: settingOf(fault.field) }));
    const faults = fields.filter(({ own, field }) => own !== field);
    if (faults.length > 0) return refuseSettings(faults.map(({ own, ...fault }) => ({ ...fault, field: own })));
    const uses = usesOf?.() ?? [];
    const shown = uses.length > 0 ? uses : error.fields;
    const detail = `The change is refused: ${shown.map(({ message }) => message).join('; ')}`;
    throw new CodedError('entity_in_use', { detail, fields: shown });
  }
}
