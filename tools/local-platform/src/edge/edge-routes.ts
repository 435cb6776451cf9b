import type { ServiceName } from '../configuration/service-name.ts';

/** Which service serves which paths; the first match applies. deploy/haproxy/haproxy.cfg has the same routes. */
const routes: readonly (readonly [prefix: string, service: ServiceName])[] = [
  ['/2.0', 'http-files'],
  ['/ui', 'http-files'],
  ['/platform-application/api/v1/infrastructure', 'sftp-gateway'],
  ['/platform-application/api/v1/audit', 'audit'],
  ['/platform-application/api/v1', 'job-manager'],
  ['/job-manager', 'job-manager'],
  ['/console', 'job-manager'],
  ['/.well-known/jwks.json', 'job-manager'],
  ['/audit', 'audit'],
];

/**
 * The service for a request target such as `/2.0/files/inbox?x=1`, with scheme and host or without (RFC 9112
 * section 3.2.2); undefined if there is none.
 */
export function serviceFor(target: string): ServiceName | undefined {
  const path = target.replace(/^https?:\/\/[^/?]*/iu, '').replace(/\?.*$/su, '');
  return routes.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1];
}
