import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { RequestHandler } from 'express';

/** What a `Host` may be: a name or an address with a port, or nothing (RFC 9110 section 7.2). */
const hostSyntax = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/iu;

/** Scheme and host of a target that has them. */
const absoluteTarget = /^https?:\/\/(?<host>[^/?]*)/iu;

/**
 * Refuses requests that a proxy may have interpreted differently: with several hosts or an invalid one (RFC 9112
 * section 3.2), and with a body in an unsupported transfer coding (section 6.1). A host in the target takes
 * precedence over the header (section 3.2.2).
 */
export function wellFramed(): RequestHandler {
  return (request, response, next) => {
    const [host = '', ...others] = request.headersDistinct['host'] ?? [];
    if (others.length > 0 || !hostSyntax.test(host)) {
      throw new CodedError('validation_failed', { detail: 'host: is to be there once, with a name or an address' });
    }
    const inTarget = absoluteTarget.exec(request.url)?.groups?.['host'];
    if (inTarget !== undefined) request.headers.host = inTarget;
    const coding = request.headers['transfer-encoding'] ?? 'chunked';
    if (coding.trim().toLowerCase() !== 'chunked') {
      response.setHeader('Connection', 'close');
      throw new CodedError('operation_unsupported', { detail: 'transfer-encoding: is to be chunked' });
    }
    next();
  };
}
