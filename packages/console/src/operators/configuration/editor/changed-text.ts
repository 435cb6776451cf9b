import { parseDocument } from 'yaml';
import { differencesBetween } from '../changes/differences-between.ts';
import { applyChanges, type SettingChange } from '../changes/merge-changes.ts';
import { settingsText } from '../text/settings-text.ts';

/** A text with some changes of its settings. Its comments stay, unless it has references, which a change could change elsewhere. */
export function changedText(text: string, changes: readonly SettingChange[]): string {
  const document = parseDocument(text);
  const wanted = applyChanges(document.toJS({ maxAliasCount: 100 }), changes);
  try {
    for (const { path, value } of changes) {
      if (value === undefined) document.deleteIn(path);
      else document.setIn(path, typeof value === 'object' ? document.createNode(value) : value);
    }
    const changed = document.toString({ lineWidth: 0 });
    if (differencesBetween(parseDocument(changed).toJS({ maxAliasCount: 100 }), wanted).length === 0) return changed;
  } catch {
    // A reference stands where a setting is.
  }
  return settingsText(wanted);
}
