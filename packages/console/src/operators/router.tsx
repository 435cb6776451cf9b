import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  useParams,
} from '@tanstack/react-router';
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { Button } from 'react-aria-components';
import { accountPages } from './account/account-pages.ts';
import { basePath } from './address/console-links.tsx';
import { usePermissions } from './api/permissions.ts';
import { Application } from './application.tsx';
import { approvalPages } from './approvals/approval-pages.ts';
import { auditPages } from './audit/audit-pages.ts';
import { configurationPages } from './configuration/configuration-pages.ts';
import { expectationPages } from './expectations/expectation-pages.ts';
import { AllowedPage } from './frame/allowed-page.tsx';
import { loadPage, PageNotLoaded } from './frame/load-page.ts';
import { noteLoaded } from './frame/loaded-again.ts';
import { NotLoadedPage } from './frame/not-loaded-page.tsx';
import { Failure, PageFrame } from './frame/page-frame.tsx';
import { type ConsolePage, isOffered, type PageProps } from './frame/page.ts';
import { useKeptSearch } from './frame/section-search.ts';
import { SectionContext, sectionOf } from './frame/section.ts';
import { jobPages } from './jobs/job-pages.ts';
import { nowPages } from './now/now-pages.ts';
import { storyPages } from './story/story-pages.ts';
import { submissionPages } from './submission/submission-pages.ts';
import { texts } from './texts/texts.ts';
import { uploadPages } from './uploads/upload-pages.ts';
import { webhookPages } from './webhooks/webhook-pages.ts';

/** The pages of the console, in the order of the navigation. */
const pages: readonly ConsolePage[] = [
  ...nowPages,
  ...jobPages,
  ...submissionPages,
  ...approvalPages,
  ...expectationPages,
  ...webhookPages,
  ...uploadPages,
  ...storyPages,
  ...auditPages,
  ...configurationPages,
  ...accountPages,
];

const root = createRootRoute({
  component: () => <Application pages={pages} />,
  notFoundComponent: () => (
    <PageFrame title={texts.notFoundTitle}>
      <p>{texts.notFound}</p>
    </PageFrame>
  ),
  errorComponent: FailedPage,
});

/** The pages of the console, below `/console`. The query of an address is plain text: `?status=ERROR&id=245`. */
export function createConsoleRouter() {
  const routes = pages.map((page) =>
    createRoute({ getParentRoute: () => root, path: page.path, component: pageOf(page), errorComponent: FailedPage }),
  );
  return createRouter({
    routeTree: root.addChildren(routes),
    basepath: basePath,
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const query = new URLSearchParams(search).toString();
      return query === '' ? '' : `?${query}`;
    },
  });
}

function pageOf(page: ConsolePage): () => ReactNode {
  const { load, permissions, platformPermissions = [] } = page;
  const section = sectionOf(page, pages);
  const isForAll = permissions.length + platformPermissions.length === 0;
  const Page: ComponentType<PageProps> = lazy(() => loadPage(load).then(loaded));
  return function LoadedPage() {
    const params: PageProps['params'] = useParams({ strict: false });
    const own = usePermissions();
    useKeptSearch(page.path);
    return (
      <AllowedPage isAllowed={isForAll || own.userName === undefined || isOffered(page, own)}>
        <SectionContext value={section}>
          <Suspense fallback={<main className="page" id="content" aria-busy="true" />}>
            <Page params={params} />
          </Suspense>
        </SectionContext>
      </AllowedPage>
    );
  };
}

function loaded(page: ComponentType<PageProps>): { default: ComponentType<PageProps> } {
  noteLoaded();
  return { default: page };
}

/** A page that failed. */
function FailedPage({ error }: ErrorComponentProps) {
  if (error instanceof PageNotLoaded) return <NotLoadedPage />;
  return (
    <PageFrame title={texts.failedTitle}>
      <Failure error={error instanceof Error ? error : new Error(String(error))} />
      <Button className="button" onPress={() => location.reload()}>
        {texts.reload}
      </Button>
    </PageFrame>
  );
}
