import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { type ChangeFollower, followChanges } from './follow-changes.ts';

/**
 * Follows changes with one stream for all pages of the browser, until the signal. The page that holds a lock has the stream and tells
 * the others; when it is closed or hidden, the next one takes over. Browsers have locks only on pages that came over HTTPS, or from
 * this computer: other pages follow nothing, so that streams never take the connections that requests need.
 */
export async function followTogether(
  endpoint: EndpointContract,
  { onReady, onChange, onEnd }: ChangeFollower,
  signal: AbortSignal,
): Promise<void> {
  if (!('locks' in navigator)) return;
  const name = `waybill-${endpoint.id}`;
  const pages = new BroadcastChannel(name);
  signal.addEventListener('abort', () => pages.close());
  let isLeading = false;
  let isReported = false;
  const tell = (news: 'ready' | 'change' | 'end'): void => {
    isReported = news !== 'end';
    if (!signal.aborted) pages.postMessage(news);
  };
  pages.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isLeading) {
      if (data === 'ask') pages.postMessage(isReported ? 'ready' : 'end');
    } else if (data === 'ready') onReady();
    else if (data === 'change') onChange();
    else if (data === 'end') onEnd();
  });
  pages.postMessage('ask');
  const leader = {
    onReady: () => (tell('ready'), onReady()),
    onChange: () => (tell('change'), onChange()),
    onEnd: () => (tell('end'), onEnd()),
  };
  const lead = async (): Promise<void> => {
    isLeading = true;
    leader.onEnd();
    await followChanges(endpoint, leader, signal);
    isLeading = false;
  };
  await navigator.locks.request(name, { signal }, lead).catch(() => undefined);
}
