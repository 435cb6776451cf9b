import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { keepPlaces } from '../page-kit/places/keep-places.ts';
import { language } from '../texts/language.ts';
import { basePath } from './address/console-links.tsx';
import { unlessRefused } from './api/refusals.ts';
import { RequestFailure } from './api/request-failure.ts';
import { sessionState, takeUpSession } from './api/session.ts';
import { followFirstPasswordInvitations, takeFirstPasswordInvitation } from './login/first-password-invitation.ts';
import { endIssuerLogin, takeIssuerAnswer } from './login/issuer-login.ts';
import { createConsoleRouter } from './router.tsx';
import { texts } from './texts/texts.ts';

/** Shows the console in an element of the page. */
export async function startConsole(place: Element): Promise<void> {
  const answer = takeIssuerAnswer();
  takeFirstPasswordInvitation();
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // Otherwise nothing fails, and nothing says so, while the browser believes that it has no network.
        networkMode: 'always',
        refetchOnReconnect: true,
        refetchInterval: unlessRefused(false),
        retry: (failures, error) => failures < 2 && error instanceof RequestFailure && error.status >= 500,
      },
      mutations: { networkMode: 'always' },
    },
  });
  document.title = texts.pageTitle;
  const router = createConsoleRouter();
  keepPlaces(router, [':root', 'main']);
  createRoot(place).render(
    <StrictMode>
      <I18nProvider locale={language()}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
  sessionState.subscribe(() => {
    if (sessionState.get() === 'other user') leaveToOtherUser();
  });
  followFirstPasswordInvitations();
  if (answer !== undefined) await endIssuerLogin(answer);
  await takeUpSession();
}

/**
 * Loads the page again for another user, at the start: nothing of one user, such as what was read, drafts and the address, is left to
 * the other. By then nothing is shown, so that no draft asks whether to leave.
 */
function leaveToOtherUser(): void {
  setTimeout(() => location.replace(`${basePath}/`));
}
