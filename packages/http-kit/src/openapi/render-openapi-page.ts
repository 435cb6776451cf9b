import { createHash } from 'node:crypto';
import type { OpenapiDocument } from './render-openapi.ts';

/** A page with its response headers. */
export interface OpenapiPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly object[];
}

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
details { border: 1px solid #8886; border-radius: 6px; margin: .5rem 0; padding: .5rem 1rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary b { display: inline-block; min-width: 4.5rem; font-family: monospace; }
code, pre { font: 14px/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem; background: #8881; border-radius: 6px; }
h2 { margin-top: 2rem; }
h3 { font-size: 1rem; margin-bottom: 0; }
`;

/**
 * An OpenAPI document as an HTML page, without scripts and external resources. The document itself is at
 * `documentPath`.
 */
export function renderOpenapiPage(document: OpenapiDocument, documentPath: string): OpenapiPage {
  const { title, version, description = '' } = document.info;
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)} ${escape(version)}</title>
<style>${style}</style>
<h1>${escape(title)} <small>${escape(version)}</small></h1>
<p>${escape(description)}</p>
<p>This page is made of the <a href="${escape(documentPath)}">OpenAPI document</a>.</p>
${renderTags(document)}
<h2>Schemas</h2>
${renderSchemas(document)}
</html>
`;
  const styleHash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`;
  return { html, headers: { 'Content-Security-Policy': policy } };
}

function renderTags({ paths }: OpenapiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    // The document is rendered by Waybill: every method has an operation.
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as Operation })),
  );
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '');
  return [...byTag]
    .map(([tag, tagged]) => `<h2>${escape(tag)}</h2>\n${tagged.map(renderOperation).join('\n')}`)
    .join('\n');
}

function renderOperation({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const { operationId, tags: _tags, summary, description = '', security, ...rest } = operation;
  const login = security.length === 0 ? 'Needs no login.' : 'Needs a login.';
  const parts = Object.entries(rest).map(
    ([name, part]) => `<h3>${escape(name)}</h3>\n<pre>${escape(JSON.stringify(part, null, 2))}</pre>`,
  );
  return `<details id="${escape(operationId)}">
<summary><b>${escape(method.toUpperCase())}</b> <code>${escape(path)}</code> ${escape(summary)}</summary>
<p>${escape(description)} ${login}</p>
${parts.join('\n')}
</details>`;
}

function renderSchemas({ components }: OpenapiDocument): string {
  return Object.entries((components['schemas'] ?? {}) as Record<string, unknown>)
    .map(
      ([name, schema]) =>
        `<details><summary><code>${escape(name)}</code></summary><pre>${escape(JSON.stringify(schema, null, 2))}</pre></details>`,
    )
    .join('\n');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
