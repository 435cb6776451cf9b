import { createHttpClient } from '@waybill/test-kit/create-http-client';

/**
 * The value of a metric of one service, summed over its series. Labels limit it to the series that have them; 0 if there is none
 * yet.
 */
export async function metricOf(
  httpUrl: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { text } = await createHttpClient(httpUrl).get('/metrics');
  if (!text.includes(`# TYPE ${name} `)) throw new Error(`there is no metric ${name}`);
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const series = [...text.matchAll(new RegExp(`^${name}(?:\\{([^}]*)\\})? (\\S+)$`, 'gmu'))];
  return series
    .filter(([, present = '']) => wanted.every((label) => present.split(',').includes(label)))
    .reduce((sum, [, , value]) => sum + Number(value), 0);
}
