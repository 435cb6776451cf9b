/**
 * How an upload takes part in a concatenation (tus 1.0): a partial upload never becomes a file; a final one is made of the
 * content of partial ones, in this order.
 */
export type Concatenation =
  | { readonly kind: 'partial' }
  | { readonly kind: 'final'; readonly parts: readonly string[] };

const finalPrefix = 'final;';

/** A concatenation as one text, the same for the same parts. */
export function concatenationText(concatenation: Concatenation): string {
  return concatenation.kind === 'partial' ? 'partial' : `${finalPrefix}${concatenation.parts.join(' ')}`;
}

/** Reads what `concatenationText` wrote. */
export function concatenationOf(text: string): Concatenation {
  if (!text.startsWith(finalPrefix)) return { kind: 'partial' };
  return { kind: 'final', parts: text.slice(finalPrefix.length).split(' ') };
}
