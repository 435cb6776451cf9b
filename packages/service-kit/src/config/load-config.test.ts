import { CodedError } from '@waybill/contracts/errors/coded-error';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { databaseConfigShape } from './database-config.ts';
import { loadConfig } from './load-config.ts';
import { cidrListSchema, portSchema } from './value-schemas.ts';

const schema = z.object({ ...databaseConfigShape, PORT: portSchema(8080), NETWORKS: cidrListSchema.default([]) });

const failureOf = (env: Record<string, string>): CodedError => {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (error instanceof CodedError) return error;
  }
  throw new Error('the environment was accepted');
};

test('variables become typed values, empty ones the default', () => {
  const config = loadConfig(schema, {
    DATABASE_URL: 'postgresql://secret',
    PORT: '',
    DATABASE_POOL_SIZE: '4',
    OTHER: 'x',
  });
  expect(config).toMatchObject({ PORT: 8080, DATABASE_POOL_SIZE: 4 });
  expect(config.DATABASE_URL.reveal()).toBe('postgresql://secret');
  expect(config).not.toHaveProperty('OTHER');
});

test('everything that is wrong is named at once, and no value is shown', () => {
  const failure = failureOf({ PORT: 'hunter2', NETWORKS: '10.0.0.0/33' });
  expect(failure.fields.map(({ field }) => field).toSorted()).toEqual(['DATABASE_URL', 'NETWORKS', 'PORT']);
  expect(failure.message).toContain('DATABASE_URL is not set');
  expect(failure.message).not.toContain('hunter2');
});
