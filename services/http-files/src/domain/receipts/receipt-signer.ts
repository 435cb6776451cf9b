import type { Receipt } from './receipt.ts';

/** Vouches for receipts. */
export interface ReceiptSigner {
  /** A compact JWS (RFC 7515) whose payload is the receipt. */
  sign(receipt: Receipt): string;
  /** The public keys (RFC 7517) that verify what is signed now, next, and was signed earlier. */
  publicKeys(): Readonly<Record<string, unknown>>[];
}
