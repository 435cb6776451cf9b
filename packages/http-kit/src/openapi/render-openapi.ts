import { bodyLimitsOf } from '@waybill/contracts/endpoints/body-limits';
import type { EndpointContract, RequestBody } from '@waybill/contracts/endpoints/endpoint';
import { problemSchema } from '@waybill/contracts/errors/problem';
import type { z } from 'zod';
import { createOpenapiSchemas, type JsonSchema, type OpenapiSchemas } from './openapi-schemas.ts';
import { renderOpenapiResponses, type FailureForm } from './render-openapi-responses.ts';

/** The title and the version of the document. */
export interface OpenapiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

/** An OpenAPI 3.1 document, ready to be written as JSON. */
export interface OpenapiDocument {
  readonly openapi: '3.1.0';
  readonly info: OpenapiInfo;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

const problemForm: FailureForm = { mediaType: 'application/problem+json', schema: problemSchema };

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  loginUser: { type: 'apiKey', in: 'cookie', name: 'sp-http-usr' },
  loginSession: { type: 'apiKey', in: 'cookie', name: 'sp-http-ses' },
};

/** Renders contracts as an OpenAPI 3.1 document. Failures are problem details unless the area has another form. */
export function renderOpenapi(
  endpoints: readonly EndpointContract[],
  info: OpenapiInfo,
  failureForm: FailureForm = problemForm,
): OpenapiDocument {
  const schemas = createOpenapiSchemas();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = (paths[openapiPathOf(endpoint.path)] ??= {});
    path[endpoint.method.toLowerCase()] = renderOperation(endpoint, schemas, failureForm);
  }
  return { openapi: '3.1.0', info, paths, components: { schemas: schemas.components, securitySchemes } };
}

function renderOperation(endpoint: EndpointContract, schemas: OpenapiSchemas, failureForm: FailureForm): JsonSchema {
  const { id, tag, summary, description, params, query, headers, body } = endpoint;
  const parameters = [
    ...renderParameters(params, 'path', schemas),
    ...renderParameters(query, 'query', schemas),
    ...renderParameters(headers, 'header', schemas),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: renderRequestBody(body, schemas) }),
    responses: renderOpenapiResponses(endpoint, schemas, failureForm),
  };
}

function securityOf({ authentication }: EndpointContract): Record<string, string[]>[] {
  if (authentication.kind === 'none') return [];
  if (authentication.kind !== 'bearer') return [{ loginUser: [], loginSession: [] }];
  return [{ bearer: authentication.permission === undefined ? [] : [authentication.permission] }];
}

function renderParameters(
  schema: z.ZodType | undefined,
  location: 'path' | 'query' | 'header',
  schemas: OpenapiSchemas,
): JsonSchema[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemas.render(schema, 'input');
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, property]) => {
    const { description, ...rest } = property;
    const isRequired = location === 'path' || (required as string[]).includes(name);
    return {
      name,
      in: location,
      required: isRequired,
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}

function renderRequestBody(body: RequestBody, schemas: OpenapiSchemas): JsonSchema {
  const { bytes, values } = bodyLimitsOf(body);
  const limit = `At most ${bytes} bytes${body.kind === 'json' ? ` and ${values} values` : ''}`;
  return {
    ...(body.kind !== 'stream' && { description: limit }),
    required: true,
    content: renderContent(body, schemas),
  };
}

function renderContent(body: RequestBody, schemas: OpenapiSchemas): Record<string, JsonSchema> {
  const schema = (body.kind === 'json' ? body.documented : undefined) ?? body.schema;
  const content = schema === undefined ? {} : { schema: schemas.render(schema, 'input') };
  if (body.kind === 'stream') {
    const bytes = { schema: { type: 'string', format: 'binary' } };
    return Object.fromEntries(body.mediaTypes.map((mediaType) => [mediaType, mediaType === '*/*' ? bytes : content]));
  }
  if (body.kind === 'form') return { 'application/x-www-form-urlencoded': content };
  return Object.fromEntries((body.mediaTypes ?? ['application/json']).map((mediaType) => [mediaType, content]));
}

/** `/files{/*path}` and `/jobs/:id` of Express as OpenAPI writes them: `/files/{path}` and `/jobs/{id}`. */
function openapiPathOf(path: string): string {
  return path.replaceAll(/\{\/\*(\w+)\}/gu, '/{$1}').replaceAll(/[*:](\w+)/gu, '{$1}');
}
