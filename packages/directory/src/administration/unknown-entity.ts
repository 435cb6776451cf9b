import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { EntityTarget } from '../sources/entity-target.ts';

/** The error for an entity that does not exist, or that must not be disclosed. */
export function unknownEntity({ entityType, name }: EntityTarget): CodedError {
  return new CodedError('entity_unknown', { detail: `There is no ${entityType} ${name}` });
}
