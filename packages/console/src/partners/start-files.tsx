import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RequestFailure } from './api/send-request.ts';
import { createPartnerRouter } from './router.tsx';

/** Shows the files of a partner in an element of the page. */
export function startFiles(place: Element): void {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) =>
          failures < 2 && !(error instanceof RequestFailure && error.status < 500 && error.status > 0),
      },
    },
  });
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={createPartnerRouter()} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
