/** One store of values by keys in the storage of the browser, which outlives the page. */
export interface BrowserDatabase {
  /** The result of the last request that `act` makes, all of one transaction. Fails where the browser stores nothing. */
  run(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest | undefined): Promise<unknown>;
  /** The values of keys, in their order; undefined for what is not there. */
  read(keys: readonly string[]): Promise<unknown[]>;
}

/** A database of the browser with one store, which is opened when it is used. */
export function createBrowserDatabase(name: string, storeName: string): BrowserDatabase {
  let opened: Promise<IDBDatabase> | undefined;
  const open = (): Promise<IDBDatabase> => (opened ??= openDatabase(name, storeName));
  return {
    async run(mode, act) {
      const last = act((await open()).transaction(storeName, mode).objectStore(storeName));
      return last && resultOf<unknown>(last);
    },
    async read(keys) {
      const store = (await open()).transaction(storeName, 'readonly').objectStore(storeName);
      return Promise.all(keys.map((key) => resultOf<unknown>(store.get(key))));
    },
  };
}

function openDatabase(name: string, storeName: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(storeName));
  return resultOf(request);
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The storage of the browser failed')));
  });
}
