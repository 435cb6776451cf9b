import { defineEndpoint } from '@waybill/contracts/endpoints/endpoint';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { renderOpenapi } from './render-openapi.ts';

const thing = z.object({ id: z.int().describe('Its number').meta({ example: 7 }) }).meta({ id: 'Thing' });

const endpoints = [
  defineEndpoint({
    id: 'readThing',
    tag: 'things',
    method: 'GET',
    path: '/things{/*path}',
    summary: 'Reads a thing',
    authentication: { kind: 'bearer', resource: 'CONFIG' },
    params: z.object({ path: z.string().optional().describe('Where it is') }),
    query: z.object({ limit: z.coerce.number().default(5) }),
    responses: { 200: { description: 'The thing', body: { kind: 'json', schema: thing } } },
    errors: ['path_not_found'],
  }),
  defineEndpoint({
    id: 'makeThing',
    tag: 'things',
    method: 'POST',
    path: '/things{/*path}',
    summary: 'Makes things',
    authentication: { kind: 'none' },
    body: { kind: 'json', schema: z.array(thing) },
    responses: { 201: { description: 'Made', body: { kind: 'none' } } },
    errors: [],
  }),
];

const document = renderOpenapi(endpoints, { title: 'Things', version: '1' });

test('an operation has its parameters, its security and every status that it can answer with', () => {
  const operation = document.paths['/things/{path}']?.['get'] as { responses: object };
  expect(operation).toMatchObject({
    operationId: 'readThing',
    security: [{ bearer: [] }],
    parameters: [
      { name: 'path', in: 'path', required: true, description: 'Where it is', schema: { type: 'string' } },
      { name: 'limit', in: 'query', required: false, schema: { default: 5 } },
    ],
  });
  expect(Object.keys(operation.responses)).toEqual(['200', '400', '401', '403', '404', '500', '503']);
});

test('a schema with an id is written once and referred to', () => {
  const { schemas } = document.components as { schemas: Record<string, unknown> };
  expect(schemas['Thing']).toMatchObject({
    type: 'object',
    properties: { id: { description: 'Its number', example: 7 } },
  });
  expect(JSON.stringify(document.paths)).toContain('"items":{"$ref":"#/components/schemas/Thing"}');
  expect(JSON.stringify(document.paths)).toContain('{"$ref":"#/components/schemas/Problem"}');
});
