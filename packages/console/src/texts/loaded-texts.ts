import type { pageKitTexts } from './english/page-kit-texts.ts';
import { setFailureTexts } from './failure-texts.ts';
import { languageSources, preferredLanguage } from './language-choice.ts';
import { setLanguage } from './language.ts';
import type { Application, ApplicationTexts, Translation } from './translation.ts';

const loaded: { -readonly [Name in Application]?: ApplicationTexts[Name] } = {};

/**
 * Loads the texts of an application in the language of the user, and returns its tag. Modules that use texts are imported after
 * it.
 */
export async function loadTexts(application: Application): Promise<string> {
  const language = preferredLanguage();
  const source = languageSources.get(language);
  if (source === undefined) throw new Error(`There are no texts in ${language}`);
  setLanguage(language);
  if (application === 'partners') loaded.partners = (await source.partners()).texts;
  else loaded.operators = (await source.operators()).texts;
  if (source.failures !== undefined) {
    const [{ failures }, { errorCodes }] = await Promise.all([
      source.failures(),
      import('@waybill/contracts/errors/error-codes'),
    ]);
    setFailureTexts({ titles: errorCodes, texts: failures });
  }
  return language;
}

/** The texts of the application that has been loaded. */
export function loadedTexts<Name extends Application>(application: Name): ApplicationTexts[Name] {
  const texts: ApplicationTexts[Name] | undefined = loaded[application];
  if (texts === undefined) throw new Error(`The texts of the ${application} are not loaded yet`);
  return texts;
}

/** The texts that all applications have, of the one that has been loaded. */
export function loadedPageKitTexts(): Translation<typeof pageKitTexts> {
  return loaded.partners ?? loadedTexts('operators');
}
