import { changeLanguage, languageSources } from '../../texts/language-choice.ts';
import { language } from '../../texts/language.ts';
import { texts } from '../texts.ts';

/** Lets the user choose the language of the pages, which this browser keeps. Nothing where there is only one. */
export function LanguageChoice() {
  if (languageSources.size < 2) return null;
  return (
    <label className="language">
      {texts.language}{' '}
      <select value={language()} onChange={({ currentTarget }) => changeLanguage(currentTarget.value)}>
        {[...languageSources].map(([tag, { name }]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
