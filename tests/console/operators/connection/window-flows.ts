import type { BrowserContext, Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillOperatorLogin, type OperatorsRig } from '../open-operators.ts';

/** Many windows of one browser, which has six connections to the server. */
export function testWindows(rig: () => OperatorsRig): void {
  const openWindows = async (first: Page, count: number): Promise<Page[]> => {
    const windows = [first];
    while (windows.length < count) {
      const added = await first.context().newPage();
      const before = Date.now();
      await added.goto(`${rig().platform.url}/console/jobs`);
      await rows(added).nth(1).waitFor();
      expect(Date.now() - before).toBeLessThan(4_000);
      windows.push(added);
    }
    return windows;
  };

  /** Submits a job and waits until each window shows it. */
  const untilShown = async (windows: readonly Page[], withinMs = 2_000): Promise<void> => {
    const [job] = await rig().submit(1);
    const before = Date.now();
    for (const one of windows) await one.getByRole('link', { name: String(job), exact: true }).waitFor();
    expect(Date.now() - before).toBeLessThan(withinMs);
  };

  describe('many windows of one browser', () => {
    it('show their rows, and what others change within two seconds, with one stream for all', async () => {
      await rig().submit(1);
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      const streams = watchStreams(page.context());
      await page.reload();
      await rows(page).nth(1).waitFor();
      await expect.poll(() => streams().length).toBe(1);
      const windows = await openWindows(page, 5);
      await untilShown(windows);
      await untilShown(windows);
      expect(streams().map(pageOf)).toEqual([page]);
      expect(takeErrors()).toEqual([]);
    });

    it('go on within two seconds when the window with the stream is hidden or closed, and miss nothing', async () => {
      await rig().submit(1);
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      const streams = watchStreams(page.context());
      await page.reload();
      const [, second, third] = await openWindows(page, 3);
      if (second === undefined || third === undefined) throw new Error('There are three windows');
      expect(streams().map(pageOf)).toEqual([page]);
      await setVisibility(page, 'hidden');
      await untilShown([second, third]);
      expect(streams().map(pageOf)).toEqual([second]);
      await setVisibility(page, 'visible');
      await untilShown([page, second, third]);
      await second.close();
      await untilShown([page, third]);
      expect(streams().map(pageOf)).toEqual([third]);
      expect(takeErrors()).toEqual([]);
    });

    it('go on within some seconds while the window with the stream is busy, as with a question of the browser', async () => {
      await rig().submit(1);
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      const streams = watchStreams(page.context());
      await page.reload();
      const [, second] = await openWindows(page, 2);
      if (second === undefined) throw new Error('There are two windows');
      expect(streams().map(pageOf)).toEqual([page]);
      const busy = page.evaluate('for (const end = performance.now() + 9_000; performance.now() < end;);');
      await untilShown([second], 6_000);
      await busy;
      await untilShown([page, second]);
      expect(streams().map(pageOf)).toEqual([page]);
      expect(takeErrors()).toEqual([]);
    });

    it('leave nothing of a user to the stream when another one logs in', async () => {
      await rig().submit(1);
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      const streams = watchStreams(page.context());
      const [, second] = await openWindows(page, 2);
      if (second === undefined) throw new Error('There are two windows');
      await second.getByRole('button', { name: 'Log out', exact: true }).click();
      await second.getByRole('heading', { name: 'Log in to the console' }).waitFor();
      await expect.poll(() => streams().length, { timeout: 2_000 }).toBe(0);
      await fillOperatorLogin(second, 'una');
      await second.getByText('Logged in as una').waitFor();
      await second.goto(`${rig().platform.url}/console/jobs`);
      await page.getByText('Logged in as una').waitFor();
      await page.goto(`${rig().platform.url}/console/jobs`);
      await expect.poll(() => streams().map(userOf)).toEqual(['una']);
      await untilShown([page, second]);
      expect(takeErrors()).toEqual([]);
    });

    it('open a stream again that is silent for too long', async () => {
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      await page.clock.install();
      const streams = watchStreams(page.context());
      await page.reload();
      await expect.poll(() => streams().length).toBe(1);
      const silent = streams();
      const isOpenedAgain = async (): Promise<boolean> => {
        const isNew = streams().some((one) => !silent.includes(one));
        // The silence begins with the stream, so that the first time may be too early.
        if (!isNew) await page.clock.fastForward(41_000);
        return isNew;
      };
      await expect.poll(isOpenedAgain, { interval: 3_000, timeout: 20_000 }).toBe(true);
      await expect.poll(() => streams().length).toBe(1);
      expect(takeErrors()).toEqual([]);
    });

    it('ask by themselves, without streams, where browsers have no locks', async () => {
      await rig().submit(1);
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      await page.context().addInitScript('delete Navigator.prototype.locks');
      const streams = watchStreams(page.context());
      await page.reload();
      const windows = await openWindows(page, 5);
      await untilShown(windows, 3_000);
      expect(streams()).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });
  });
}

const rows = (page: Page) => page.getByRole('table', { name: 'Jobs, newest first' }).getByRole('row');

/** The streams of changes of jobs that the windows of a browser have. */
function watchStreams(context: BrowserContext): () => Request[] {
  const streams = new Set<Request>();
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/job-manager/jobs/events') streams.add(request);
  });
  context.on('requestfinished', (request) => void streams.delete(request));
  context.on('requestfailed', (request) => void streams.delete(request));
  return () => [...streams].filter((request) => !pageOf(request).isClosed());
}

function pageOf(request: Request): Page {
  return request.frame().page();
}

/** The user whose access token a request has. */
function userOf(request: Request): string {
  const [, claims = ''] = (request.headers()['authorization'] ?? '').split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
}

/** As the browser does when the tab of a page goes to the background, or comes back. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
