import { hostname } from 'node:os';
import { Secret, secretSchema } from '@waybill/service-kit/config/secret';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { renderConfigurationPage, renderEnvExample } from './render-configuration-page.ts';

const schema = z.object({
  URL: secretSchema.describe('Where | how'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8081).describe('Port'),
  LEVEL: z.enum(['info', 'warn']).default('info').describe('Level'),
  PEER: z.string().default(hostname()).describe('Peer'),
  KEY: secretSchema.default(new Secret('demo')).describe('Key'),
  PREFIX: z.string().default('').describe('Prefix'),
});

describe('the pages of the configuration', () => {
  it('list every variable with default, range and meaning', () => {
    const { text } = renderConfigurationPage({ audit: schema });
    expect(text).toContain('## audit\n');
    expect(text).toContain('| `URL` or `URL_FILE` | required | Where \\| how |');
    expect(text).toContain('| `PORT` | `8081` | Port (0 to 65535) |');
    expect(text).toContain('| `LEVEL` | `info` | Level (`info`, `warn`) |');
    expect(text).toContain('| `PEER` | `<host name>` | Peer |');
    expect(text).toContain('| `KEY` or `KEY_FILE` | `demo` | Key |');
    expect(text).toContain('| `PREFIX` | not set | Prefix |');
  });

  it('render an example in which required settings are empty', () => {
    const { path, text } = renderEnvExample('audit', schema);
    expect(path).toBe('services/audit/.env.example');
    expect(text).toContain('# Where | how; or URL_FILE, which names a file\nURL=\n');
    expect(text).toContain('# Level (info, warn)\n# LEVEL=info\n');
  });

  it('refuse a variable without a description', () => {
    expect(() => renderEnvExample('audit', z.object({ PORT: z.string() }))).toThrow('PORT has no description');
  });
});
