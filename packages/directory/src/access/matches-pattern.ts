/**
 * True when `name` is of the form of `pattern`: `*` stands for any sequence, also none, and is the only wildcard;
 * everything else stands for itself, case included. Takes time linear in both for each `*`, whatever they are.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  const [head = '', ...rest] = pattern.normalize('NFC').split('*');
  const tail = rest.pop();
  if (tail === undefined) return name === head;
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
  const end = name.length - tail.length;
  let position = head.length;
  for (const part of rest) {
    const found = name.indexOf(part, position);
    if (found === -1 || found + part.length > end) return false;
    position = found + part.length;
  }
  return true;
}
