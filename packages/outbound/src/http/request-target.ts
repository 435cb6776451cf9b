import { CodedError } from '@waybill/contracts/errors/coded-error';

/**
 * The address of a request: the path below that of the connection. A path cannot leave the connection's host or its path:
 * `..`, also encoded, backslashes and other hosts are refused.
 * @throws CodedError `validation_failed`
 */
export function requestTarget(base: string, path: string): URL {
  const root = new URL(base.endsWith('/') ? base : `${base}/`);
  if (path === '') return new URL(base);
  if (path.includes('\\') || /\p{Cc}|#/u.test(path)) refuse(path);
  const target = URL.parse(`${root.href}${path.replace(/^\/+/u, '')}`);
  if (!target || target.origin !== root.origin || !target.pathname.startsWith(root.pathname)) return refuse(path);
  if (/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/iu.test(path.split('?')[0] ?? '')) refuse(path);
  return target;
}

function refuse(path: string): never {
  throw new CodedError('validation_failed', {
    detail: `path: ${JSON.stringify(path)} is not a path below the address`,
  });
}
