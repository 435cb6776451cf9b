import { formatDuration, formatTime } from '../../page-kit/format/format-time.ts';
import { serverNow } from '../../page-kit/format/server-clock.ts';
import { texts } from '../texts/texts.ts';

const daySeconds = 86_400;

/** A time with how long ago it was: what is old counts here. */
export function Since({ time }: { readonly time: string }) {
  const seconds = Math.max(0, (serverNow() - Date.parse(time)) / 1_000);
  const age =
    seconds < 2 * daySeconds ? formatDuration(Math.floor(seconds)) : texts.now.days(Math.floor(seconds / daySeconds));
  return (
    <>
      <span>{texts.now.ago(age)}</span>{' '}
      <time className="quiet" dateTime={time}>
        {formatTime(time)}
      </time>
    </>
  );
}
