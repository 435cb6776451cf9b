import { useState } from 'react';

/**
 * Why something could not be read last, also during the next attempt: TanStack Query forgets the failure of a query without data then.
 * Another text `of` starts over, as does a component that is shown only until it was read.
 */
export function useLastFailure(error: Error | null, of = ''): Error | null {
  const [last, setLast] = useState({ of, error });
  if (of !== last.of || (error !== null && error.message !== last.error?.message)) setLast({ of, error });
  return of === last.of ? (error ?? last.error) : error;
}
