import { expect, it } from 'vitest';
import type { english } from './english.ts';
import { chooseLanguage, type Translation } from './language.ts';

it.each([
  [['de', 'en'], 'de'],
  [['de-AT', 'en'], 'de'],
  [['fr', 'pt-BR', 'de'], 'pt-BR'],
  [['PT-br'], 'pt-BR'],
  [['pt'], 'en'],
  [['zh-Hant-TW', 'zh-Hant'], 'zh-Hant'],
  [['', 'x', '-'], 'en'],
  [[], 'en'],
] as const)('chooses for %j the language %s', (wanted, chosen) => {
  expect(chooseLanguage(['en', 'de', 'pt-BR', 'zh-Hant'], wanted)).toBe(chosen);
});

it('lets a text be translated, also one that contains values', () => {
  const german: Translation<Pick<typeof english, 'logIn' | 'conflict'>> = {
    logIn: 'Anmelden',
    conflict: (name) => `${name} existiert bereits.`,
  };
  expect(german.conflict('a.csv')).toBe('a.csv existiert bereits.');
});
