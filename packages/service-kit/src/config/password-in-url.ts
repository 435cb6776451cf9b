import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Secret } from './secret.ts';

/** An address, and the password to insert. */
export interface UrlWithPassword {
  /** The names of the settings, for error messages. */
  readonly names: { readonly url: string; readonly password: string };
  readonly url: Secret;
  readonly password: Secret | undefined;
  /**
   * The permitted schemes, such as `redis:`. Libraries treat other texts as names of hosts and files, and print
   * them.
   */
  readonly schemes: readonly string[];
}

/**
 * The address with the password, which may be a separate setting. @throws CodedError `configuration_invalid` if the
 * address is invalid, already has a password, or has no place for one
 */
export function passwordInUrl({ names, url, password, schemes }: UrlWithPassword): string {
  const parsed = URL.parse(url.reveal());
  if (parsed === null || !schemes.includes(parsed.protocol)) {
    return refuse(names.url, `must be an address such as ${schemes[0]}//user:password@host:port/name`);
  }
  if (password === undefined) return url.reveal();
  if (parsed.hostname === '') {
    return refuse(names.password, `needs ${names.url} to be an address such as scheme://user@host:port/name`);
  }
  if (parsed.password !== '') {
    return refuse(names.password, `is set, and ${names.url} has a password, too: set only one of them`);
  }
  parsed.password = encodeURIComponent(password.reveal());
  return parsed.toString();
}

function refuse(field: string, message: string): never {
  throw new CodedError('configuration_invalid', {
    detail: `The environment is not valid: ${field} ${message}`,
    fields: [{ field, message }],
  });
}
