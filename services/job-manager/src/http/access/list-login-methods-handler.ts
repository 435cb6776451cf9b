import type { OidcLogins } from '../../domain/access/oidc-logins.ts';

/** What a login form can offer. */
export function createListLoginMethodsHandler({ oidcLogins }: { readonly oidcLogins: OidcLogins | undefined }) {
  const issuer = oidcLogins?.hasBrowserLogins === true ? { name: oidcLogins.issuerName } : null;
  return () => Promise.resolve({ status: 200, body: { password: true, issuer } } as const);
}
