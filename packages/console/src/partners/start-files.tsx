import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { keepPlaces } from '../page-kit/places/keep-places.ts';
import { language } from '../texts/language.ts';
import { soonAfterFailure } from './api/read-again.ts';
import { isWorthRepeating } from './api/send-request.ts';
import { createPartnerRouter } from './router.tsx';
import { texts } from './texts.ts';

/** Shows the files of a partner in an element of the page. */
export function startFiles(place: Element): void {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // Otherwise nothing fails, and nothing says so, while the browser believes that it has no network.
        networkMode: 'always',
        refetchOnReconnect: true,
        refetchInterval: soonAfterFailure(false),
        retry: (failures, error) => failures < 2 && isWorthRepeating(error),
      },
    },
  });
  document.title = texts.pageTitle;
  const router = createPartnerRouter();
  keepPlaces(router, [':root', 'main', '.grid-rows', '.results']);
  createRoot(place).render(
    <StrictMode>
      <I18nProvider locale={language()}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
}
