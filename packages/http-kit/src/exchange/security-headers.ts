/** In every response: no sniffing, framing, shared caching or active content (OWASP secure headers). */
export const securityHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const satisfies Record<string, string>;

/** In responses over HTTPS in addition. */
export const strictTransportSecurity = 'max-age=31536000';
