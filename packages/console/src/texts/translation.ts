import type { ErrorCode } from '@waybill/contracts/errors/error-codes';
import type { texts as operators } from './english/operators-texts.ts';
import type { texts as partners } from './english/partners-texts.ts';

/**
 * The same texts in any language: a text for each text, a function of the same values for each that contains values, by the same
 * names.
 */
export type Translation<Catalogue> = Catalogue extends string
  ? string
  : Catalogue extends (...values: infer Values) => infer Result
    ? (...values: Values) => Translation<Result>
    : { readonly [Name in keyof Catalogue]: Translation<Catalogue[Name]> };

/** All texts of each application, in any language. */
export interface ApplicationTexts {
  readonly partners: Translation<typeof partners>;
  readonly operators: Translation<typeof operators>;
}

/** An application that has texts. */
export type Application = keyof ApplicationTexts;

/** What the platform says of a failure, by its stable code. */
export type FailureTexts = Readonly<Record<ErrorCode, string>>;

/**
 * What a language must have: its own name, and all texts of each application, which are loaded when that application starts.
 * `failures`: what the platform itself says in English.
 */
export type LanguageSource = {
  readonly name: string;
  readonly failures?: () => Promise<{ readonly failures: FailureTexts }>;
} & {
  readonly [Name in Application]: () => Promise<{ readonly texts: ApplicationTexts[Name] }>;
};
