import { createHash } from 'node:crypto';
import { createDocumentSchema } from '@waybill/configuration/document/document-schema';
import type { readConfigurationSchemaEndpoint } from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';

/** The JSON Schema of documents of the configuration. It is made for the first request, and kept. */
export function createReadConfigurationSchemaHandler(): EndpointHandler<typeof readConfigurationSchemaEndpoint> {
  let kept: ReturnType<typeof createVersion> | undefined;
  return ({ headers: { 'if-none-match': known = '' } }) => {
    const { schema, etag } = (kept ??= createVersion());
    const headers = { ETag: etag, 'Cache-Control': 'public, max-age=300' };
    if (isAmong(etag, known)) return Promise.resolve({ status: 304, headers });
    return Promise.resolve({ status: 200, headers, body: schema });
  };
}

function createVersion() {
  const schema = createDocumentSchema();
  const digest = createHash('sha256').update(JSON.stringify(schema)).digest('base64url');
  return { schema, etag: `"${digest.slice(0, 22)}"` };
}

/** As RFC 9110 compares `If-None-Match`: weakly, also where a proxy has made the tag weak. */
function isAmong(etag: string, known: string): boolean {
  return known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//u, '')));
}
