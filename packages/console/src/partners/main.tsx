import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { language } from '../page-kit/messages/language.ts';
import { RequestFailure } from './api/send-request.ts';
import { createPartnerRouter } from './router.tsx';
import '../page-kit/style/style.css';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) =>
        failures < 2 && !(error instanceof RequestFailure && error.status < 500 && error.status > 0),
    },
  },
});
document.documentElement.lang = language;
const place = document.querySelector('#application');
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={createPartnerRouter()} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
