import { createRootRoute, createRoute, createRouter, getRouteApi } from '@tanstack/react-router';
import type { ListingOrder } from './api/elements.ts';
import { Application } from './application.tsx';

/** The parts of an order that differ from the usual one: the others are not in the address. */
type OrderInAddress = Partial<ListingOrder>;

const root = createRootRoute();

/** A folder: `/ui/inbox/2026?sort=size&direction=DESC&filter=*.csv`. */
const folder = createRoute({
  getParentRoute: () => root,
  path: '$',
  validateSearch: orderOfAddress,
  component: FolderPage,
});

const page = getRouteApi('/$');

/** The pages of the partners' application, below `/ui`. */
export function createPartnerRouter() {
  return createRouter({ routeTree: root.addChildren([folder]), basepath: '/ui' });
}

function FolderPage() {
  const { _splat: splat = '' } = page.useParams();
  const { sort = 'name', direction = 'ASC', filter = '' } = page.useSearch();
  const navigate = page.useNavigate();
  return (
    <Application
      path={`/${splat.replace(/\/$/u, '')}`}
      order={{ sort, direction, filter }}
      onGo={(path) => void navigate({ to: '/$', params: { _splat: path.slice(1) }, search: {} })}
      onOrder={(order) => void navigate({ to: '.', search: addressOfOrder(order) })}
    />
  );
}

function orderOfAddress(search: Record<string, unknown>): OrderInAddress {
  const { sort, direction, filter } = search;
  return {
    ...((sort === 'size' || sort === 'put_date' || sort === 'expiry_date') && { sort }),
    ...(direction === 'DESC' && { direction }),
    ...((typeof filter === 'string' || typeof filter === 'number') && { filter: String(filter) }),
  };
}

function addressOfOrder({ sort, direction, filter }: ListingOrder): OrderInAddress {
  return {
    ...(sort !== 'name' && { sort }),
    ...(direction !== 'ASC' && { direction }),
    ...(filter !== '' && { filter }),
  };
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPartnerRouter>;
  }
}
