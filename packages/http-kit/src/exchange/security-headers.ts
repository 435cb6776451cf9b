/** On every answer: nothing of ours is to be sniffed, framed, cached by others or run as a page (OWASP secure headers). */
export const securityHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const satisfies Record<string, string>;

/** On answers over HTTPS too. */
export const strictTransportSecurity = 'max-age=31536000';
