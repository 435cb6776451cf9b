import type { ChangeFollower } from './follow-changes.ts';

/** How often the page with the stream tells the others that it goes on, in milliseconds. */
const beatMs = 500;

/** A page that has told nothing for longer does not go on: it asks its user something, or is busy. */
const silentAtMostMs = 1_500;

/**
 * Follows changes with one stream for all pages of the browser, until the signal. The page that holds a lock has the stream and tells
 * the others; when it is closed or hidden, the next one takes over. While it is silent, the others count as without a stream. Browsers
 * have locks only on pages that came over HTTPS, or from this computer: other pages follow nothing, so that streams never take the
 * connections that requests need.
 */
export async function followTogether(
  name: string,
  follow: (follower: ChangeFollower, signal: AbortSignal) => Promise<void>,
  follower: ChangeFollower,
  signal: AbortSignal,
): Promise<void> {
  if (!('locks' in navigator)) return;
  const pages = new BroadcastChannel(`waybill-${name}`);
  const news = takeNews(follower);
  let isLeading = false;
  const leave = (): void => {
    pages.close();
    news.stop();
  };
  signal.addEventListener('abort', leave, { once: true });
  const tell = (what: 'ready' | 'change' | 'end'): void => {
    if (signal.aborted) return;
    pages.postMessage(what);
    news.take(what);
  };
  const answer = (): void => {
    if (!signal.aborted) pages.postMessage(news.isLive() ? 'live' : 'end');
  };
  pages.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (signal.aborted) return;
    if (!isLeading) {
      news.take(data);
      news.expectMore();
    } else if (data === 'ask') answer();
  });
  pages.postMessage('ask');
  const leader = { onReady: () => tell('ready'), onChange: () => tell('change'), onEnd: () => tell('end') };
  const lead = async (): Promise<void> => {
    isLeading = true;
    // Changes may be missed until the stream is ready, which has everything read again.
    tell('end');
    const beating = setInterval(answer, beatMs);
    await follow(leader, signal);
    clearInterval(beating);
    isLeading = false;
  };
  await navigator.locks.request(`waybill-${name}`, { signal }, lead).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Tells a follower what the page with the stream has told. */
function takeNews(follower: ChangeFollower) {
  let isLive = false;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    if (!isLive) return;
    isLive = false;
    follower.onEnd();
  };
  const stop = (): void => clearTimeout(silence);
  return {
    isLive: () => isLive,
    stop,
    take(what: unknown): void {
      stop();
      // `live` tells pages that have just come, or have missed something: the others know it.
      if (what === 'ready' || (what === 'live' && !isLive)) {
        isLive = true;
        follower.onReady();
      } else if (what === 'change') follower.onChange();
      else if (what === 'end') end();
    },
    /** Ends when nothing more is told for too long. */
    expectMore(): void {
      if (isLive) silence = setTimeout(end, silentAtMostMs);
    },
  };
}
