import type { ChangeFollower } from './follow-changes.ts';

/**
 * Follows changes with one stream for all pages of the browser, until the signal. The page that holds a lock has the stream and tells
 * the others; when it is closed or hidden, the next one takes over. Browsers have locks only on pages that came over HTTPS, or from
 * this computer: other pages follow nothing, so that streams never take the connections that requests need.
 */
export async function followTogether(
  name: string,
  follow: (follower: ChangeFollower, signal: AbortSignal) => Promise<void>,
  follower: ChangeFollower,
  signal: AbortSignal,
): Promise<void> {
  if (!('locks' in navigator)) return;
  const pages = new BroadcastChannel(`waybill-${name}`);
  signal.addEventListener('abort', () => pages.close(), { once: true });
  let isLeading = false;
  let isReported = false;
  const take = (news: unknown): void => {
    // `live` answers a page that has just come: the others know it.
    if (news === 'ready' || (news === 'live' && !isReported)) {
      isReported = true;
      follower.onReady();
    } else if (news === 'change') follower.onChange();
    else if (news === 'end') {
      isReported = false;
      follower.onEnd();
    }
  };
  const tell = (news: 'ready' | 'change' | 'end'): void => {
    if (signal.aborted) return;
    pages.postMessage(news);
    take(news);
  };
  pages.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (signal.aborted) return;
    if (!isLeading) take(data);
    else if (data === 'ask') pages.postMessage(isReported ? 'live' : 'end');
  });
  pages.postMessage('ask');
  const leader = { onReady: () => tell('ready'), onChange: () => tell('change'), onEnd: () => tell('end') };
  const lead = async (): Promise<void> => {
    isLeading = true;
    // Changes may be missed until the stream is ready, which has everything read again.
    tell('end');
    await follow(leader, signal);
    isLeading = false;
  };
  await navigator.locks.request(`waybill-${name}`, { signal }, lead).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
