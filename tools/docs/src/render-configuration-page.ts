import type { z } from 'zod';
import { type GeneratedPage, markdownTable } from './generated-page.ts';
import { settingsOf } from './setting.ts';

/** `docs/configuration.md`: the environment variables of every service. */
export function renderConfigurationPage(services: Readonly<Record<string, z.ZodObject>>): GeneratedPage {
  const sections = Object.entries(services).map(([service, schema]) => {
    const rows = settingsOf(schema).map(({ name, description, defaultText, range, fileVariable }) => [
      fileVariable === undefined ? `\`${name}\`` : `\`${name}\` or \`${fileVariable}\``,
      describeDefault(defaultText),
      range === undefined ? description : `${description} (${range})`,
    ]);
    return `## ${service}\n\n${markdownTable(['Variable', 'Default', 'Meaning'], rows)}`;
  });
  return {
    path: 'docs/configuration.md',
    text: `# Configuration

Each service reads these environment variables once, when it starts, and refuses to start if one is invalid. An empty variable
counts as not set. A secret can be given as a file instead: \`DATABASE_URL_FILE\` names a file with the value of \`DATABASE_URL\`;
see [Running Waybill](running.md#secrets). Partners, contracts and workflows are not part of the environment, but of
[the configuration file](configuration-file.md).

${sections.join('\n')}`,
  };
}

function describeDefault(defaultText: string | undefined): string {
  if (defaultText === undefined) return 'required';
  return defaultText === '' ? 'not set' : `\`${defaultText}\``;
}

/** `services/<service>/.env.example`: required variables are empty, those with a default are shown as comments. */
export function renderEnvExample(service: string, schema: z.ZodObject): GeneratedPage {
  const entries = settingsOf(schema).map(({ name, description, defaultText, range, fileVariable }) => {
    const comment = `# ${description}${range === undefined ? '' : ` (${range.replaceAll('`', '')})`}${fileVariable === undefined ? '' : `; or ${fileVariable}, which names a file`}\n`;
    return defaultText === undefined ? `${comment}${name}=\n` : `${comment}# ${name}=${defaultText}\n`;
  });
  return { path: `services/${service}/.env.example`, text: entries.join('\n') };
}
