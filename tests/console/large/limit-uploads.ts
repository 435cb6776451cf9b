import type { Page } from 'playwright-core';

/**
 * Has a page send at most so many bytes a second, also after it is loaded again: there is time to interrupt what it sends.
 * What it returns changes the limit; -1 is none.
 */
export async function limitUploads(
  page: Page,
  bytesPerSecond: number,
): Promise<(bytesPerSecond: number) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const limit = async (uploadThroughput: number): Promise<void> => {
    const others = { offline: false, latency: 0, downloadThroughput: -1 };
    await session.send('Network.emulateNetworkConditions', { ...others, uploadThroughput });
  };
  await limit(bytesPerSecond);
  return limit;
}
