import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseConfiguration } from '@waybill/directory/parse-configuration';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = path.join(import.meta.dirname, '..', '..', '..');

/** A platform with these templates, each of which a new file starts. */
function platformWith(workflowTemplates: { name: string; inputs?: Record<string, unknown> }[]) {
  return {
    manager: { name: 'manager1' },
    clusters: [{ name: 'cluster1', servers: [{ name: 'sftp-server', protocol: 'SFTP' }] }],
    managerUsers: [{ name: 'admin', password: 'x', roles: ['Administrators'] }],
    workflowTemplates,
    actors: [
      {
        name: 'acme',
        type: 'Partner',
        virtualFileSystems: [{ name: 'files' }],
        contracts: [
          {
            name: 'examples',
            type: 'Mediation',
            actions: workflowTemplates.map(({ name, inputs = {} }) => ({
              name,
              workflow: name,
              trigger: { type: 'NewFile', vfs: 'files', virtualPath: '/in' },
              variables: {
                names: 'x',
                ...('name' in inputs && { name: 'march' }),
                ...('file' in inputs && { file: '/in/march' }),
              },
            })),
          },
        ],
      },
    ],
  };
}

describe('the page about workflows', async () => {
  const page = await readFile(path.join(root, 'docs', 'workflows.md'), 'utf8');
  const examples = [...page.matchAll(/## (.*)\n(?:(?!\n## )[\s\S])*?```yaml\n([\s\S]*?)```/gu)];

  it('has examples', () => expect(examples.length).toBeGreaterThanOrEqual(6));

  it.each(examples.map(([, heading = '', text = '']) => [heading, text]))('has a valid example under %s', (_, text) => {
    const { workflowTemplates } = parse(text) as { workflowTemplates: { name: string }[] };
    const parsed = parseConfiguration(platformWith(workflowTemplates));
    expect(parsed.workflowTemplates).toHaveLength(workflowTemplates.length);
  });
});
