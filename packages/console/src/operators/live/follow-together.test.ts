import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChangeFollower } from './follow-changes.ts';
import { followTogether } from './follow-together.ts';

/** A page of the browser: what it is told, and the stream that it has while it leads. */
interface FollowingPage {
  readonly news: string[];
  readonly stream: () => ChangeFollower | undefined;
  /** Ends the stream for good: the server refuses it. */
  refuse(): void;
  leave(): void;
}

let names = 0;

function newName(): string {
  names += 1;
  return `test-${names}`;
}

/** A browser whose pages follow the same. */
function openPages(name = newName()): () => FollowingPage {
  return () => {
    const news: string[] = [];
    const leaving = new AbortController();
    const refusal = Promise.withResolvers<void>();
    let stream: ChangeFollower | undefined;
    const follow = async (leader: ChangeFollower, signal: AbortSignal): Promise<void> => {
      stream = leader;
      const end = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      await Promise.race([end, refusal.promise]);
      leader.onEnd();
      stream = undefined;
    };
    const follower = {
      onReady: () => news.push('ready'),
      onChange: () => news.push('change'),
      onEnd: () => news.push('end'),
    };
    void followTogether(name, follow, follower, leaving.signal);
    onTestFinished(() => leaving.abort());
    return { news, stream: () => stream, refuse: refusal.resolve, leave: () => leaving.abort() };
  };
}

/** Until the messages have arrived. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 50));

describe('pages that follow together', () => {
  it('have one stream, and each is told what it reports', async () => {
    const openPage = openPages();
    const pages = [openPage(), openPage(), openPage()];
    await soon();
    expect(pages.map(({ stream }) => stream() !== undefined)).toEqual([true, false, false]);
    pages[0]?.stream()?.onReady();
    pages[0]?.stream()?.onChange();
    pages[0]?.stream()?.onEnd();
    await soon();
    for (const { news } of pages) expect(news.slice(-3)).toEqual(['ready', 'change', 'end']);
  });

  it('tell a page that comes that it is told, and nothing to the others', async () => {
    const openPage = openPages();
    const [first, second] = [openPage(), openPage()];
    await soon();
    first.stream()?.onReady();
    await soon();
    const before = [...second.news];
    const third = openPage();
    await soon();
    expect(third.news).toEqual(['ready']);
    expect(second.news).toEqual(before);
  });

  it('read all again with the stream of the next page, when the first is left', async () => {
    const openPage = openPages();
    const [first, second, third] = [openPage(), openPage(), openPage()];
    await soon();
    first.stream()?.onReady();
    await soon();
    first.leave();
    await soon();
    expect(second.stream()).toBeDefined();
    expect(third.news.at(-1)).toBe('end');
    second.stream()?.onReady();
    await soon();
    for (const { news } of [second, third]) expect(news.slice(-2)).toEqual(['end', 'ready']);
    expect(first.news.at(-1)).toBe('ready');
  });

  it('do not wait for a page that has left before its turn', async () => {
    const openPage = openPages();
    const [first, second, third] = [openPage(), openPage(), openPage()];
    await soon();
    second.leave();
    first.leave();
    await soon();
    expect([second.stream(), third.stream() !== undefined]).toEqual([undefined, true]);
    expect(second.news).not.toContain('ready');
  });

  it('are told nothing once the server has refused the stream to each', async () => {
    const openPage = openPages();
    const pages = [openPage(), openPage(), openPage()];
    for (const page of pages) {
      await soon();
      page.stream()?.onReady();
      page.refuse();
    }
    await soon();
    for (const { news, stream } of pages) {
      expect(news.at(-1)).toBe('end');
      expect(stream()).toBeUndefined();
    }
  });

  it('count as without a stream while the page that has it is silent, and read all again when it goes on', async () => {
    const name = newName();
    // A page that does nothing but what the test has it tell.
    const [busy, leaving] = [new BroadcastChannel(`waybill-${name}`), Promise.withResolvers<void>()];
    onTestFinished(() => {
      leaving.resolve();
      busy.close();
    });
    void navigator.locks.request(`waybill-${name}`, () => leaving.promise);
    const page = openPages(name)();
    await soon();
    busy.postMessage('ready');
    for (let count = 0; count < 20; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      busy.postMessage('live');
    }
    expect(page.news).toEqual(['ready']);
    await expect.poll(() => page.news, { timeout: 10_000 }).toEqual(['ready', 'end']);
    busy.postMessage('live');
    await expect.poll(() => page.news).toEqual(['ready', 'end', 'ready']);
  });
});
