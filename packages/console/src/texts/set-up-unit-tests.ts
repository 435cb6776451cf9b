import { loadTexts } from './loaded-texts.ts';

// Unit tests share a process: in which order they import modules that use texts must not matter.
await loadTexts('partners');
await loadTexts('operators');
