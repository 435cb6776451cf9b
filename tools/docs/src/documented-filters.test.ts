import { readFileSync } from 'node:fs';
import { sortsOf } from '@waybill/contracts/endpoints/administration/list-sorts';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { expect, it } from 'vitest';

it.each(administeredResources.map(({ collection, filters = [] }) => [collection, filters] as const))(
  'the page about administration has the filters of %s, and no others',
  (collection, filters) => {
    const page = readFileSync(new URL('../../../docs/administration.md', import.meta.url), 'utf8');
    const [, table = ''] = page.split(/^### (?:Filters|Order)$/mu);
    const [, cell = ''] = new RegExp(`^\\| \`${collection}\` +\\|(.*)\\|$`, 'mu').exec(table) ?? [];
    const named = cell.split(/,(?![^(]*\))/u);
    const expected = filters.map(({ name, setting }) =>
      setting === name ? `\`${name}\`` : `\`${name}\` (\`${setting}\`)`,
    );
    expect(named.map((text) => text.trim()).filter(Boolean)).toEqual(expected);
  },
);

it.each(administeredResources.map((resource) => [resource.collection, sortsOf(resource)] as const))(
  'the page about administration has the settings by which %s are sorted, and no others',
  (collection, sorts) => {
    const page = readFileSync(new URL('../../../docs/administration.md', import.meta.url), 'utf8');
    const [, , table = ''] = page.split(/^### (?:Filters|Order)$/mu);
    const [, cell = ''] =
      new RegExp(`^\\| \`${collection}\` +\\|(.*)\\|$`, 'mu').exec(table.split('\n### ')[0] ?? '') ?? [];
    const named = cell.split(',').map((text) => text.trim());
    expect(named.filter(Boolean)).toEqual(sorts.map((setting) => `\`${setting}\``));
  },
);
