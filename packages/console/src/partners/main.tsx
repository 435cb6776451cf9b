import { loadTexts } from '../texts/loaded-texts.ts';
import '../page-kit/style/style.css';
import '../page-kit/style/print.css';

document.documentElement.lang = await loadTexts('partners');
const { startFiles } = await import('./start-files.tsx');
const place = document.querySelector('#application');
if (place !== null) startFiles(place);
