/**
 * The path that a user means who renames or moves an element: what does not begin with a slash is relative to the element's folder.
 */
export function newPathOf(id: string, text: string): string {
  return text.startsWith('/') ? text : inFolder(id.slice(0, id.lastIndexOf('/')), text);
}

/** Whether a new folder can have a name: no part of it is empty or leads elsewhere. A name with slashes is one below another folder. */
export function isFolderName(name: string): boolean {
  return name.split('/').every((part) => !['', '.', '..'].includes(part));
}

/** The path of a name in a folder. */
export function inFolder(folder: string, name: string): string {
  return `${folder.replace(/\/$/u, '')}/${name}`;
}
