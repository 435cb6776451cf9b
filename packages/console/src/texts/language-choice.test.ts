import { expect, it } from 'vitest';
import { chooseLanguage } from './language-choice.ts';
import type { ApplicationTexts } from './translation.ts';

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
  const german: Pick<ApplicationTexts['partners'], 'logIn' | 'conflict'> = {
    logIn: 'Anmelden',
    conflict: (name) => `${name} existiert bereits.`,
  };
  expect(german.conflict('a.csv')).toBe('a.csv existiert bereits.');
});
