import { platformConfigurationSchema } from '@waybill/contracts/configuration/platform-configuration';
import { z } from 'zod';
import type { GeneratedPage } from './generated-page.ts';

/**
 * `docs/configuration-schema.json`: the configuration file as a JSON Schema, with which editors check and complete it. What refers
 * to something else, and expressions, are checked by `waybill plan` alone.
 */
export function renderConfigurationSchema(): GeneratedPage {
  const schema = z.toJSONSchema(platformConfigurationSchema, { io: 'input', unrepresentable: 'any' });
  const described = { title: 'The configuration of a Waybill platform', ...schema };
  return { path: 'docs/configuration-schema.json', text: `${JSON.stringify(described, undefined, 2)}\n` };
}
