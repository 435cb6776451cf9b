/**
 * Names for the entries of an archive, requested from the top down. They can be extracted on any system: they have no character and
 * are no device that Windows refuses or interprets. Names that become equal by that, or that differ only in case, are made distinct.
 */
export function createArchiveNames(): (path: string) => string {
  const names = new Map<string, string>([['', '']]);
  const makeDistinct = createDistinctNames();

  const nameOf = (path: string): string => {
    const known = names.get(path);
    if (known !== undefined) return known;
    const end = path.lastIndexOf('/');
    const folder = nameOf(path.slice(0, Math.max(0, end)));
    const name = makeDistinct(`${folder === '' ? '' : `${folder}/`}${extractable(path.slice(end + 1))}`);
    names.set(path, name);
    return name;
  };
  return nameOf;
}

/** What Windows cannot have in a name, or not at its end, where it drops it. */
const refused = /[\\:*?"<>|\p{Cc}]|[. ](?=[. ]*$)/gu;

/** The devices of Windows, which have every extension. */
const device = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?= *(?:\.|$))/iu;

/** The name of one element, in which `_` replaces what is refused, and follows the name of a device. */
function extractable(name: string): string {
  return name.replaceAll(refused, '_').replace(device, '$&_');
}

/** Numbers names that were given before, in any case: `a.txt`, `A (2).txt`, `a (3).txt`, ... */
function createDistinctNames(): (name: string) => string {
  const taken = new Set<string>();
  // Where the search goes on: a great many names may become equal.
  const numbers = new Map<string, number>();
  return (name) => {
    const [, stem = name, extension = ''] = /^(.*[^/])(\.[^./]*)$/su.exec(name) ?? [];
    let candidate = name;
    let number = numbers.get(folded(name)) ?? 2;
    for (; taken.has(folded(candidate)); number += 1) candidate = `${stem} (${number})${extension}`;
    numbers.set(folded(name), number);
    taken.add(folded(candidate));
    return candidate;
  };
}

/** Equal for names that are one on a system that ignores case. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase();
}
