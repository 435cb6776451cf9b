import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RouterProvider } from 'react-aria-components';

/** Where the console is. */
export const basePath = '/console';

/** Within it, links of React Aria such as `<Link href="/jobs/245">` lead to pages of the console without a reload. */
export function ConsoleLinks({ children }: { readonly children: ReactNode }) {
  const { history } = useRouter();
  return (
    <RouterProvider navigate={(href) => history.push(basePath + href)} useHref={(href) => basePath + href}>
      {children}
    </RouterProvider>
  );
}
