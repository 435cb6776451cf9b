import { useSyncExternalStore } from 'react';

/** A value outside the components that components can follow. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** Calls back after each change; returns what ends this. */
  subscribe(listener: () => void): () => void;
}

/** A store with its first value. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The current value of a store, in a component. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
