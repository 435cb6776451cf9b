import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { texts } from '../texts/texts.ts';
import { loadAgain, mayLoadAgain } from './loaded-again.ts';
import { PageFrame } from './page-frame.tsx';

/** How often the server is asked whether it answers again, in milliseconds. */
const askEveryMs = 2_000;

/**
 * Instead of a page whose module did not arrive. Browsers do not ask for such a module again before the whole tab is loaded again:
 * this happens as soon as the server answers, once. Nothing is lost by that: the user has left the page before, and what was typed
 * there.
 */
export function NotLoadedPage() {
  const [isAutomatic] = useState(mayLoadAgain);
  useEffect(() => {
    if (!isAutomatic) return undefined;
    const ask = (): void => void loadAgainIfAnswered();
    const timer = setInterval(ask, askEveryMs);
    ask();
    return () => clearInterval(timer);
  }, [isAutomatic]);
  return (
    <PageFrame title={texts.failedTitle}>
      <p className="failure" role="alert">
        {isAutomatic ? texts.pageNotLoaded : texts.pageStillNotLoaded}
      </p>
      <div>
        <Button className="button" onPress={() => location.reload()}>
          {texts.loadAgain}
        </Button>
      </div>
    </PageFrame>
  );
}

async function loadAgainIfAnswered(): Promise<void> {
  const signal = AbortSignal.timeout(askEveryMs);
  const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store', signal }).catch(() => undefined);
  if (answer?.ok === true && !isDialogOpen()) loadAgain();
}

/** What stands in a dialog would be lost: a password that is being typed, or recovery codes that are shown once. */
function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}
