/** Signs with Ed25519 (RFC 8032). */
export interface Signer {
  /** The 32 bytes of the public key, base64url. */
  readonly publicKey: string;
  /** The signature of the text's UTF-8 bytes, base64url. */
  sign(text: string): string;
}
