import { useState } from 'react';
import { texts } from '../texts.ts';
import { Failure } from './failure.tsx';

/**
 * In place of what has not been read yet: that it is being read, or why it could not be, also during the next attempt.
 */
export function Reading({ error }: { readonly error: Error | null }) {
  const [last, setLast] = useState(error);
  if (error !== null && error.message !== last?.message) setLast(error);
  if (last !== null) return <Failure>{last.message}</Failure>;
  return <p className="quiet">{texts.loading}</p>;
}
