/** The module of a page did not arrive: the network was lost, or an update of the server has removed it. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

/**
 * Loads the module of a page. One that has arrived, and fails when it runs, fails for good: the browser keeps its error, and throws the
 * very same one each time the module is imported. For one that did not arrive, it makes a new error each time.
 * @throws PageNotLoaded, or the error of the module
 */
export async function loadPage<Page>(load: () => Promise<Page>): Promise<Page> {
  try {
    return await load();
  } catch (error) {
    return load().catch((again: unknown) => {
      throw again === error ? error : new PageNotLoaded();
    });
  }
}
