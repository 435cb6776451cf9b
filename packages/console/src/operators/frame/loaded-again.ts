/** That this tab was loaded again by itself, and has not shown a page since: what does not help is not repeated. */
const key = 'waybill.loaded-again';

/** Whether the tab may be loaded again by itself: once until a page was shown. Not without the storage of the browser, which knows. */
export function mayLoadAgain(): boolean {
  try {
    return sessionStorage.getItem(key) === null;
  } catch {
    return false;
  }
}

/** Loads the tab again, unless the browser cannot keep that this was done. */
export function loadAgain(): void {
  try {
    sessionStorage.setItem(key, 'yes');
  } catch {
    return;
  }
  location.reload();
}

/** A page was loaded: the next one that does not arrive may be tried again. */
export function noteLoaded(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Then nothing is kept there, and no tab is loaded again by itself.
  }
}
