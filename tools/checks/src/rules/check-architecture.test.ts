import { describe, expect, it } from 'vitest';
import { checkArchitecture } from './check-architecture.ts';

const otherServices = [
  { path: 'services/audit/src/main.ts', text: '' },
  { path: 'services/job-manager/src/main.ts', text: '' },
];

function messages(path: string, text: string): string[] {
  return checkArchitecture([...otherServices, { path, text }]).map(({ message }) => message);
}

describe('the architecture check', () => {
  it.each([
    ['a service imports another', 'services/audit/src/a.ts', `import '@waybill/job-manager/config';`],
    ['a package imports a service', 'packages/outbox/src/a.ts', `import type { C } from '@waybill/audit/config';`],
    ['a package imports one above it', 'packages/service-kit/src/a.ts', `export { x } from '@waybill/http-kit/x';`],
    ['a test of one service imports another', 'services/audit/tests/a.test.ts', `import '@waybill/job-manager/x';`],
    ['contracts import more than zod', 'packages/contracts/src/a.ts', `import pino from 'pino';`],
    ['contracts import from Node', 'packages/contracts/src/a.ts', `import 'node:fs';`],
    ['another package than http-kit imports express', 'services/audit/src/a.ts', `import express from 'express';`],
    ['another package than postgres imports pg', 'packages/filebox/src/a.ts', `import pg from 'pg';`],
    ['another package than redis imports bullmq', 'services/job-manager/src/a.ts', `const b = await import('bullmq');`],
    [
      'the domain imports a store',
      'services/audit/src/domain/a.ts',
      `import { query } from '@waybill/postgres/query';`,
    ],
    ['the domain imports the network', 'services/audit/src/domain/a.ts', `import { connect } from 'node:net';`],
    ['the domain imports its adapters', 'services/audit/src/domain/a.ts', `import { x } from '../adapters/x.ts';`],
    ['a relative import leaves its package', 'packages/redis/src/a.ts', `import { x } from '../../postgres/src/x.ts';`],
    ['a package names itself', 'packages/redis/src/a.ts', `import { x } from '@waybill/redis/x';`],
    ['an import is computed', 'packages/redis/src/a.ts', 'await import(process.argv[2]);'],
    ['a folder is not in the table', 'packages/newcomer/src/a.ts', ''],
  ])('refuses that %s', (_, path, text) => {
    expect(messages(path, text)).toHaveLength(1);
  });

  it.each([
    ['packages/contracts/src/a.ts', `import { z } from 'zod'; import './b.ts';`],
    [
      'packages/http-kit/src/a.ts',
      `import express from 'express'; import type { E } from '@waybill/contracts/endpoints/endpoint';`,
    ],
    ['services/audit/src/adapters/a.ts', `import { x } from '../domain/x.ts'; import '@waybill/postgres/database';`],
    ['services/audit/src/domain/a.ts', `import { createHash } from 'node:crypto'; import { y } from './y.ts';`],
    ['services/audit/src/domain/a.ts', `import type { AuditEvents } from '../events.ts';`],
    ['packages/redis/tests/a.test.ts', `import { x } from '@waybill/redis/x';`],
    ['services/audit/tests/a.test.ts', `import { createTestDatabase } from '@waybill/test-kit/create-test-database';`],
  ])('lets %s be', (path, text) => {
    expect(messages(path, text)).toEqual([]);
  });

  it('reports the line', () => {
    const findings = checkArchitecture([{ path: 'packages/redis/src/a.ts', text: `\nimport 'zod';\nimport 'pg';\n` }]);
    expect(findings).toEqual([
      { path: 'packages/redis/src/a.ts', line: 3, message: 'pg belongs to packages/postgres, packages/test-kit' },
    ]);
  });
});
