/**
 * Runs one slow step with a line before it and its duration after it.
 * @template T
 * @param {string} title  a description of the step
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const startedAtMs = Date.now();
  console.log(`▸ ${title}`);
  const result = await work();
  console.log(`  done in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`);
  return result;
}
