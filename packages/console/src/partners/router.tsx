import { createRootRoute, createRoute, createRouter, getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ListingOrder } from './api/elements.ts';
import { Application, type ApplicationProps } from './application.tsx';
import { texts } from './texts.ts';

/** What an address says besides the folder: what is as usual is not in it. */
interface Address extends Partial<Omit<ListingOrder, 'isDeep'>> {
  readonly deep?: true;
  /** The virtual path of the element whose details are shown; that of a folder ends with a slash. */
  readonly details?: string;
  readonly page?: 'account';
}

const root = createRootRoute({ notFoundComponent: NotFound });

/** A folder: `/ui/inbox/2026?sort=size&direction=DESC&filter=*.csv`. */
const folder = createRoute({
  getParentRoute: () => root,
  path: '$',
  validateSearch: readAddress,
  component: FolderPage,
});

const page = getRouteApi('/$');

/** The pages of the partners' application, below `/ui`. */
export function createPartnerRouter() {
  return createRouter({ routeTree: root.addChildren([folder]), basepath: '/ui' });
}

function FolderPage() {
  const { _splat: splat = '' } = page.useParams();
  // The router adds what the check has left out as it stands in the address.
  const {
    sort = 'name',
    direction = 'ASC',
    filter = '',
    deep = false,
    details,
    page: shown,
  } = readAddress(page.useSearch());
  const order = useMemo(() => ({ sort, direction, filter, isDeep: deep }), [sort, direction, filter, deep]);
  return (
    <Application
      path={`/${splat.replace(/\/$/u, '')}`}
      order={order}
      details={details}
      isAccount={shown === 'account'}
      {...useAddressChanges()}
    />
  );
}

/** An address that cannot be decoded, such as `/ui/%`. */
function NotFound() {
  return (
    <main className="login">
      <div className="card">
        <h1>{texts.notFoundTitle}</h1>
        <p>{texts.notFound}</p>
        <a href="/ui/">{texts.toAllFolders}</a>
      </div>
    </main>
  );
}

/** What changes the address. The functions stay the same from one rendering to the next. */
function useAddressChanges(): Pick<ApplicationProps, 'onGo' | 'onOrder' | 'onDetails' | 'onAccount'> {
  const navigate = page.useNavigate();
  return useMemo(
    () => ({
      onGo: (path) =>
        void navigate({
          to: '/$',
          params: { _splat: path.slice(1) },
          // The order stays; a filter is for one folder.
          search: ({ sort, direction }) => ({ ...(sort && { sort }), ...(direction && { direction }) }),
        }),
      onOrder: (order, isTyping = false) =>
        void navigate({ to: '.', search: addressOfOrder(order), replace: isTyping }),
      onDetails: (details) =>
        void navigate({
          to: '.',
          search: ({ details: _before, ...others }) => ({ ...others, ...(details && { details }) }),
        }),
      onAccount: (isShown) => void navigate({ to: '.', search: isShown ? { page: 'account' } : {} }),
    }),
    [navigate],
  );
}

function readAddress(search: object): Address {
  const { sort, direction, filter, deep, details, page: shown }: Record<string, unknown> = { ...search };
  return {
    ...((sort === 'size' || sort === 'put_date' || sort === 'expiry_date' || sort === 'folder') && { sort }),
    ...(direction === 'DESC' && { direction }),
    ...((typeof filter === 'string' || typeof filter === 'number') && { filter: String(filter) }),
    ...(deep === true && { deep }),
    ...(typeof details === 'string' && details.startsWith('/') && { details }),
    ...(shown === 'account' && { page: shown }),
  };
}

function addressOfOrder({ sort, direction, filter, isDeep }: ListingOrder): Address {
  return {
    ...(sort !== 'name' && { sort }),
    ...(direction !== 'ASC' && { direction }),
    ...(filter !== '' && { filter }),
    ...(isDeep && { deep: true }),
  };
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPartnerRouter>;
  }
}
