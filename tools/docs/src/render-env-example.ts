import type { z } from 'zod';
import type { GeneratedPage } from './generated-page.ts';
import { settingsOf } from './setting.ts';

/** `services/<service>/.env.example`: what must be set is left empty, what has a default is shown and commented out. */
export function renderEnvExample(service: string, schema: z.ZodObject): GeneratedPage {
  const entries = settingsOf(schema).map(({ name, description, defaultText, range, fileVariable }) => {
    const comment = `# ${description}${range === undefined ? '' : ` (${range.replaceAll('`', '')})`}${fileVariable === undefined ? '' : `; or ${fileVariable}, which names a file`}\n`;
    return defaultText === undefined ? `${comment}${name}=\n` : `${comment}# ${name}=${defaultText}\n`;
  });
  return { path: `services/${service}/.env.example`, text: entries.join('\n') };
}
