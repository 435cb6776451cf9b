import { describe, expect, it } from 'vitest';
import { serviceFor } from './edge-routes.ts';

describe('serviceFor', () => {
  it.each([
    ['/2.0/login/basic', 'http-files'],
    ['/2.0/files/inbox/a%20b.csv?x=/job-manager', 'http-files'],
    ['/platform-application/api/v1/audit/logs?page=0', 'audit'],
    ['/platform-application/api/v1/infrastructure/clusters/server-sessions/query', 'sftp-gateway'],
    ['/platform-application/api/v1/auth/login', 'job-manager'],
    ['/job-manager/jobs', 'job-manager'],
    ['/console/jobs?status=ERROR', 'job-manager'],
    ['/.well-known/jwks.json', 'job-manager'],
    ['http://files.example.org:8080/2.0/files?x=1', 'http-files'],
  ])('sends %s to %s', (target, service) => {
    expect(serviceFor(target)).toBe(service);
  });

  it.each(['/', '/2.00/files', '/job-managers', '/platform-application/api/v2/audit', '/metrics', '/health/ready'])(
    'sends %s to no service',
    (target) => {
      expect(serviceFor(target)).toBeUndefined();
    },
  );
});
