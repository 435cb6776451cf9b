/**
 * Names for the entries of an archive, requested from the top down. They must be safe to extract on any system: no `\`,
 * no leading `C:`. Names that become equal by that are made distinct.
 */
export function createArchiveNames(): (path: string) => string {
  const names = new Map<string, string>([['', '']]);
  const taken = new Set<string>();

  const nameOf = (path: string): string => {
    const known = names.get(path);
    if (known !== undefined) return known;
    const end = path.lastIndexOf('/');
    const folder = nameOf(path.slice(0, Math.max(0, end)));
    const wanted = `${folder === '' ? '' : `${folder}/`}${path.slice(end + 1).replaceAll('\\', '_')}`;
    const name = distinct(wanted.replace(/^([a-z]):/iu, '$1_'), taken);
    names.set(path, name);
    taken.add(name);
    return name;
  };
  return nameOf;
}

/** `a.txt`, `a (2).txt`, `a (3).txt`, ... */
function distinct(name: string, taken: ReadonlySet<string>): string {
  const [, stem = name, extension = ''] = /^(.*[^/])(\.[^./]*)$/su.exec(name) ?? [];
  let candidate = name;
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${stem} (${number})${extension}`;
  return candidate;
}
