import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generatePgpKey } from '@waybill/pgp/generate-pgp-key';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { describe, expect, it } from 'vitest';
import { readConfigurationFile } from '../src/configuration-file/read-configuration-file.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');

describe('the page of recipes', async () => {
  const page = await readFile(path.join(root, 'docs', 'recipes.md'), 'utf8');
  const recipes = [...page.matchAll(/\n## (.*)\n[\s\S]*?```yaml\n([\s\S]*?)```/gu)];

  it('has recipes', () => expect(recipes.length).toBeGreaterThan(0));

  it.each(recipes.map(([, heading = '', text = '']) => [heading, text]))('has a valid one: %s', async (_, text) => {
    await using folder = await createTestFolder();
    const file = path.join(folder.path, 'platform.yaml');
    await writeFile(file, text);
    const user = { name: 'acme', email: 'files@acme.example' };
    const { publicKey } = await generatePgpKey({ kind: 'ecc', user, days: 100 });
    const { configuration } = await readConfigurationFile(file, { OWN_PGP_KEY: publicKey, ACME_PGP_KEY: publicKey });
    expect(configuration.workflowTemplates.length).toBeGreaterThan(0);
  });
});
