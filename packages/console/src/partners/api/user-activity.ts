/** What people do on a page. Moves of the pointer are left out: a desk that shakes keeps no session. */
const inputs = ['pointerdown', 'click', 'keydown', 'input', 'wheel', 'drop'] as const;

let isActive = true;

/** Has the next request count as a use of the session: the user has done something, or waits for an upload. */
export function noteActivity(): void {
  isActive = true;
}

for (const input of inputs) addEventListener(input, noteActivity, { capture: true, passive: true });

/** Whether the user has done something since the last call. */
export function takeActivity(): boolean {
  const wasActive = isActive;
  isActive = false;
  return wasActive;
}
