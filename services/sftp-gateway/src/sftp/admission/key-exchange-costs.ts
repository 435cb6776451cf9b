/**
 * The server's cost of one exchange with each method, in milliseconds of processor time on the machine of
 * docs/performance.md, rounded and at least 1. The cost for a client is negligible: it may send the same public key
 * each time.
 */
const methodCosts: Readonly<Record<string, number>> = {
  'ecdh-sha2-nistp384': 2,
  'ecdh-sha2-nistp521': 5,
  'diffie-hellman-group16-sha512': 4,
};

/** The additional cost of the host key's signature. */
const signatureCosts: Readonly<Record<string, number>> = {
  'ecdsa-sha2-nistp384': 2,
  'ecdsa-sha2-nistp521': 4,
  'rsa-sha2-512': 1,
  'rsa-sha2-256': 1,
  'ssh-rsa': 1,
};

/** The cost of an exchange; the usual ones, such as X25519 with an Ed25519 host key, cost 1. */
export function keyExchangeCost(exchange: { readonly method: string; readonly hostKeyAlgorithm: string }): number {
  return (methodCosts[exchange.method] ?? 1) + (signatureCosts[exchange.hostKeyAlgorithm] ?? 0);
}
