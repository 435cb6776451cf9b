import { z } from 'zod';
import { language } from '../page-kit/messages/language.ts';
import '../page-kit/style/style.css';
import './style/console.css';

// The content security policy forbids what Zod compiles schemas with. All modules that make schemas are loaded after this.
z.config({ jitless: true });
const { startConsole } = await import('./start-console.tsx');
document.documentElement.lang = language;
const place = document.querySelector('#application');
if (place !== null) await startConsole(place);
