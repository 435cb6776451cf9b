import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { checkReferences, parseComplete } from './checks/check-document.ts';

/**
 * Parses a configuration that is complete in itself: checks its structure and its references.
 * @throws CodedError `configuration_invalid`; its fields are places such as
 * `actors[0].connectionContracts[1].clauses[0].vfs`
 */
export function parseConfiguration(value: unknown): PlatformConfiguration {
  const configuration = parseComplete(value);
  checkReferences(configuration);
  return configuration;
}
