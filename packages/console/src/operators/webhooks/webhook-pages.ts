import type { ConsolePage } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';

/** The deliveries of webhooks, and one of them. */
export const webhookPages: readonly ConsolePage[] = [
  {
    path: '/webhooks',
    label: texts.webhooks.title,
    permissions: ['jobs:read'],
    load: async () => (await import('./deliveries-page.tsx')).DeliveriesPage,
  },
  {
    path: '/webhooks/$id',
    permissions: ['jobs:read'],
    load: async () => (await import('./delivery-page.tsx')).DeliveryPage,
  },
];
