import { defineEndpoint } from '@waybill/contracts/endpoints/endpoint';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { FailureForm } from './render-openapi-responses.ts';
import { renderOpenapi } from './render-openapi.ts';

const thing = z.object({ id: z.int().describe('Its number').meta({ example: 7 }) }).meta({ id: 'Thing' });

const endpoints = [
  defineEndpoint({
    id: 'readThing',
    tag: 'things',
    method: 'GET',
    path: '/things{/*path}',
    summary: 'Reads a thing',
    authentication: { kind: 'bearer', permission: 'configuration:read' },
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

const patched = defineEndpoint({
  id: 'changeThing',
  tag: 'things',
  method: 'PATCH',
  path: '/things{/*path}',
  summary: 'Changes a thing',
  authentication: { kind: 'none' },
  body: {
    kind: 'json',
    mediaTypes: ['application/merge-patch+json'],
    schema: z.record(z.string(), z.unknown()),
    documented: z.strictObject({ id: z.int().optional() }).meta({ id: 'ThingPatch' }),
  },
  responses: { 200: { description: 'Changed', body: { kind: 'none' } } },
  errors: [],
});

const document = renderOpenapi(endpoints, { title: 'Things', version: '1' });

test('an operation has its parameters, its security and every status that it can answer with', () => {
  const operation = document.paths['/things/{path}']?.['get'] as { responses: object };
  expect(operation).toMatchObject({
    operationId: 'readThing',
    security: [{ bearer: ['configuration:read'] }],
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

test('a body that only the handler can check has the schema of the documentation', () => {
  const { paths, components } = renderOpenapi([patched], { title: 'Things', version: '1' });
  expect(paths['/things/{path}']?.['patch']).toMatchObject({
    requestBody: {
      description: 'At most 1048576 bytes and 6000 values',
      content: { 'application/merge-patch+json': { schema: { $ref: '#/components/schemas/ThingPatch' } } },
    },
  });
  expect(components['schemas']).toMatchObject({ ThingPatch: { properties: { id: { type: 'integer' } } } });
});

test('a status of a response that failures have too has the form of both', () => {
  const repeated = defineEndpoint({
    id: 'repeatThing',
    tag: 'things',
    method: 'POST',
    path: '/things/repeated',
    summary: 'Makes a thing once',
    authentication: { kind: 'none' },
    responses: {
      201: { description: 'Made', body: { kind: 'json', schema: thing } },
      409: { description: 'The existing thing', body: { kind: 'json', schema: thing } },
    },
    errors: ['job_removed'],
  });
  const responsesOf = (failureForm?: FailureForm) =>
    renderOpenapi([repeated], { title: 'Things', version: '1' }, failureForm).paths['/things/repeated'];
  const thingOf = { $ref: '#/components/schemas/Thing' };
  expect(responsesOf()).toMatchObject({
    post: {
      responses: {
        201: { description: 'Made' },
        409: {
          description: expect.stringMatching(/^The existing thing; `job_removed`: /u),
          content: {
            'application/json': { schema: thingOf },
            'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
          },
        },
      },
    },
  });
  const failure = z.object({ message: z.string() }).meta({ id: 'Failure' });
  expect(responsesOf({ mediaType: 'application/json', schema: failure })).toMatchObject({
    post: {
      responses: {
        409: {
          content: { 'application/json': { schema: { anyOf: [thingOf, { $ref: '#/components/schemas/Failure' }] } } },
        },
      },
    },
  });
});
