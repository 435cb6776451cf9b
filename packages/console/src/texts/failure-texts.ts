import type { ErrorCode } from '@waybill/contracts/errors/error-codes';
import type { FailureTexts } from './translation.ts';

/** What the platform says about each code, in English and in the language of the page. */
interface TranslatedFailures {
  readonly titles: Readonly<Record<ErrorCode, { readonly title: string }>>;
  readonly texts: FailureTexts;
}

let translated: TranslatedFailures | undefined;

/** Sets the translations of failures; without them, they are shown as the platform words them, in English. */
export function setFailureTexts(failures: TranslatedFailures): void {
  translated = failures;
}

/** Texts of the file interface that contain a name, which is shown after the translation. */
const namedFailures: readonly (readonly [message: RegExp, code: ErrorCode])[] = [
  [/^Path(?: '(?<name>.*)')? doesn't exist$/u, 'path_not_found'],
  [/^(?:File '(?<name>.*)'|.*) doesn't exist$/u, 'file_not_found'],
];

/**
 * A failure that the platform describes, in the language of the page; `code` is its stable name, where the interface gives one.
 * What the platform says beyond the title of the code follows as it is, and so does what has no translation.
 */
export function failureText(code: string | undefined, message: string, detail?: string): string {
  const said = detail === undefined || detail === message ? [] : [detail];
  if (translated === undefined) return withDetails(message, said);
  const { titles, texts } = translated;
  const [known, ...names] = codeOf(titles, code, message);
  if (known === undefined) return withDetails(message, said);
  const isTitle = code === undefined || message === titles[known].title;
  return withDetails(texts[known], [...names, ...(isTitle ? said : [message, ...said])]);
}

function codeOf(
  titles: TranslatedFailures['titles'],
  code: string | undefined,
  message: string,
): readonly [ErrorCode | undefined, ...names: string[]] {
  const codes = Object.keys(titles) as ErrorCode[];
  const known = codes.find((each) => each === code) ?? codes.find((each) => titles[each].title === message);
  if (known !== undefined) return [known];
  for (const [pattern, named] of namedFailures) {
    const found = pattern.exec(message);
    const name = found?.groups?.['name'];
    if (found !== null) return name === undefined ? [named] : [named, name];
  }
  return [undefined];
}

function withDetails(text: string, details: readonly string[]): string {
  return details.length === 0 ? text : `${text} (${details.join(', ')})`;
}
