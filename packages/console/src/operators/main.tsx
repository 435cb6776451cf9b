import { z } from 'zod';
import { loadTexts } from '../texts/loaded-texts.ts';
import '../page-kit/style/style.css';
import './style/console.css';
import '../page-kit/style/print.css';

// The content security policy forbids what Zod compiles schemas with. All modules that make schemas are loaded after this.
z.config({ jitless: true });
document.documentElement.lang = await loadTexts('operators');
const { startConsole } = await import('./start-console.tsx');
const place = document.querySelector('#application');
if (place !== null) await startConsole(place);
