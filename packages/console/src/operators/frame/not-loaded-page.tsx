import { useEffect } from 'react';
import { Button } from 'react-aria-components';
import { texts } from '../texts/texts.ts';
import { PageFrame } from './page-frame.tsx';

/** The module of a page did not arrive: the network was lost, or an update of the server has removed it. */
export class PageNotLoaded extends Error {}

/** How often the server is asked whether it answers again, in milliseconds. */
const askEveryMs = 2_000;

/** The page is not loaded again by itself within this time: what does not help is not repeated. */
const calmMs = 30_000;

/** When the page was last loaded again by itself, in this tab. */
const key = 'waybill.loaded-again';

/**
 * Instead of a page whose module did not arrive. Browsers do not ask for such a module again before the whole page is loaded again:
 * this happens as soon as the server answers, once.
 */
export function NotLoadedPage() {
  useEffect(() => {
    const timer = setInterval(() => void loadAgainOnce(), askEveryMs);
    void loadAgainOnce();
    return () => clearInterval(timer);
  }, []);
  return (
    <PageFrame title={texts.failedTitle}>
      <p className="failure" role="alert">
        {texts.pageNotLoaded}
      </p>
      <Button className="button" onPress={() => location.reload()}>
        {texts.loadAgain}
      </Button>
    </PageFrame>
  );
}

async function loadAgainOnce(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(key)) < calmMs) return;
  const signal = AbortSignal.timeout(askEveryMs);
  const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store', signal }).catch(() => undefined);
  if (answer?.ok !== true) return;
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
}
