import { addressOf, requestFiles } from '../api/request-files.ts';

/** Elements of a folder that are downloaded as one archive. */
export interface Selection {
  readonly folder: string;
  readonly names: readonly string[];
}

/** How long the frame of a download is kept: until the platform has planned the largest archive. */
const keptMs = 600_000;

/** @throws RequestFailure with the reason, if the platform would refuse the archive */
export async function assertSelectable({ folder, names }: Selection): Promise<void> {
  const body = new URLSearchParams({ check: 'true' });
  for (const name of names) body.append('name', name);
  await requestFiles(addressOf('archive', folder), { method: 'POST', body });
}

/**
 * Has the browser save an archive as it arrives. The form is posted into a frame of its own, so that the page is not left.
 * `onRefused`: what arrived was no download.
 */
export function postSelection({ folder, names }: Selection, onRefused: () => void): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.name = `download-${crypto.getRandomValues(new Uint32Array(1)).join('')}`;
  const form = document.createElement('form');
  form.method = 'post';
  form.action = addressOf('archive', folder);
  form.target = frame.name;
  form.hidden = true;
  form.append(...names.map(fieldOf));
  document.body.append(frame, form);
  frame.addEventListener('load', onRefused);
  form.submit();
  form.remove();
  setTimeout(() => frame.remove(), keptMs);
}

function fieldOf(name: string): HTMLInputElement {
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = 'name';
  field.value = name;
  return field;
}
