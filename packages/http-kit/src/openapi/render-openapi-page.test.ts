import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { renderOpenapiPage } from './render-openapi-page.ts';

const operation = {
  operationId: 'readThing',
  tags: ['things & more'],
  summary: 'Reads <b>a</b> thing',
  security: [],
  parameters: [{ name: 'limit', description: '"quoted"' }],
};

const { html, headers } = renderOpenapiPage(
  {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: { '/things/{id}': { get: operation } },
    components: { schemas: { Thing: { type: 'object' } } },
  },
  '/openapi.json',
);

test('the page shows every operation and every schema of the document', () => {
  expect(html).toContain('<code>/things/{id}</code>');
  expect(html).toContain('limit');
  expect(html).toContain('<code>Thing</code>');
  expect(html).toContain('href="/openapi.json"');
});

test('nothing of the document is read as HTML', () => {
  expect(html).toContain('Reads &lt;b&gt;a&lt;/b&gt; thing');
  expect(html).toContain('things &amp; more');
});

test('the page has no script and loads nothing; its policy permits only its own style', () => {
  expect(html).not.toMatch(/<script|src=|@import|url\(/u);
  const [, style = ''] = /<style>(.*?)<\/style>/su.exec(html) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['Content-Security-Policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
});
