import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildWebApplication } from '@waybill/web-build/build-web-applications';
import { sources } from '@waybill/web-build/web-applications';

/**
 * Builds both applications of a copy of their sources that has a second language, as somebody adds one: its files, and a line in
 * `languages.ts`. Every text of it is the English one in brackets; numbers, times and plural forms are those of German.
 */
const languages = `import { errorCodes } from '@waybill/contracts/errors/error-codes';
import { bracketed } from './bracketed/bracketed-texts.ts';

const failures = Object.fromEntries(Object.entries(errorCodes).map(([code, { title }]) => [code, bracketed(title)]));

export const languages = {
  en: {
    name: 'English',
    partners: () => import('./english/partners-texts.ts'),
    operators: () => import('./english/operators-texts.ts'),
  },
  de: {
    name: '⟦Deutsch⟧',
    partners: async () => ({ texts: bracketed((await import('./english/partners-texts.ts')).texts) }),
    operators: async () => ({ texts: bracketed((await import('./english/operators-texts.ts')).texts) }),
    failures: async () => ({ failures }),
  },
};
`;

const [, , target = ''] = process.argv;
const copy = join(target, 'console');
await mkdir(copy, { recursive: true });
await cp(join(sources, 'src'), join(copy, 'src'), { recursive: true });
await cp(join(sources, 'package.json'), join(copy, 'package.json'));
await symlink(join(sources, 'node_modules'), join(copy, 'node_modules'));
const texts = join(copy, 'src/texts');
await mkdir(join(texts, 'bracketed'));
await cp(join(import.meta.dirname, 'bracketed-texts.ts'), join(texts, 'bracketed/bracketed-texts.ts'));
await writeFile(join(texts, 'languages.ts'), languages);
await buildWebApplication(copy, 'partners', join(target, 'partners'));
await buildWebApplication(copy, 'operators', join(target, 'operators'));
