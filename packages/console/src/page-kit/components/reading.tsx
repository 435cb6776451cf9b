import { texts } from '../texts.ts';
import { useLastFailure } from '../use-last-failure.ts';
import { Failure } from './failure.tsx';

/** In place of what has not been read yet: that it is being read, or why it could not be, also during the next attempt. */
export function Reading({ error }: { readonly error: Error | null }) {
  const failure = useLastFailure(error);
  return failure === null ? <p className="quiet">{texts.loading}</p> : <Failure>{failure.message}</Failure>;
}
