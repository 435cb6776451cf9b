import type { SentParts } from '@waybill/sent-parts/sent-parts';

/** While nothing can be remembered, a part that a user was sent is forgotten: no download fails for that. */
export function forgetfulSentParts(sentParts: SentParts, failed: (error: unknown) => void): SentParts {
  return {
    forget: (of) => sentParts.forget(of),
    add: async (of, part) => {
      try {
        return await sentParts.add(of, part);
      } catch (error) {
        failed(error);
        return false;
      }
    },
  };
}
