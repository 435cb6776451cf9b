import { language } from './language.ts';

/** The forms of a text that counts something, by the plural rules of the language; `other` stands for those that are not given. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** A number as it is written in the language of the page: `1,023`. */
export function number(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(language(), options);
}

/** The form of a text for a count: `plural(count, { one: '1 job', other: `${number(count)} jobs` })`. */
export function plural(count: number, forms: PluralForms): string {
  return forms[new Intl.PluralRules(language()).select(count)] ?? forms.other;
}
