import type { EndpointContract, ResponseContract } from '@waybill/contracts/endpoints/endpoint';
import { errorCodes, type ErrorCode } from '@waybill/contracts/errors/error-codes';
import type { z } from 'zod';
import { errorStatus } from '../failures/error-status.ts';
import { failureCodesOf } from '../failures/failure-codes.ts';
import type { JsonSchema, OpenapiSchemas } from './openapi-schemas.ts';

/** The body of an area's failures. */
export interface FailureForm {
  readonly mediaType: string;
  readonly schema: z.ZodType;
}

/** A response in a document. */
interface Rendered {
  readonly description: string;
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema | undefined }>>;
}

/**
 * Every response of an endpoint: those of its contract, and its failures by status with their codes. A status that has both,
 * such as the 409 of a repeated submission, has the description and the form of each.
 */
export function renderOpenapiResponses(
  endpoint: EndpointContract,
  schemas: OpenapiSchemas,
  failureForm: FailureForm,
): Record<string, Rendered> {
  const responses: Record<string, Rendered> = {};
  for (const [status, codes] of codesByStatus(endpoint)) {
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join('; '),
      content: { [failureForm.mediaType]: { schema: schemas.render(failureForm.schema, 'output') } },
    };
  }
  for (const [status, response] of Object.entries(endpoint.responses))
    responses[status] = joinResponses(renderResponse(response, schemas), responses[status]);
  return responses;
}

function joinResponses(response: Rendered, failure: Rendered | undefined): Rendered {
  if (failure === undefined) return response;
  const content = { ...response.content };
  for (const [mediaType, { schema }] of Object.entries(failure.content ?? {})) {
    const other = content[mediaType]?.schema;
    content[mediaType] = other === undefined ? { schema } : { schema: { anyOf: [other, schema] } };
  }
  return { ...response, description: `${response.description}; ${failure.description}`, content };
}

function renderResponse({ description, headers, body }: ResponseContract, schemas: OpenapiSchemas): Rendered {
  const described = { description, ...(headers !== undefined && { headers: renderHeaders(headers, schemas) }) };
  if (body.kind === 'none') return described;
  if (body.kind === 'stream') return { ...described, content: { [body.mediaType]: {} } };
  const schema = schemas.render(body.schema, 'output');
  return { ...described, content: { [body.mediaType ?? 'application/json']: { schema } } };
}

function renderHeaders(headers: z.ZodType, schemas: OpenapiSchemas): Record<string, JsonSchema> {
  const { properties = {} } = schemas.render(headers, 'output');
  const rendered = Object.entries(properties as Record<string, JsonSchema>).map(([name, property]) => {
    const { description, ...schema } = property;
    return [name, { description, schema }] as const;
  });
  return Object.fromEntries(rendered);
}

function codesByStatus(endpoint: EndpointContract): Map<number, ErrorCode[]> {
  return Map.groupBy(failureCodesOf(endpoint), errorStatus);
}
