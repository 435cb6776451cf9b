/** The texts of charts over time, in English. */
export const charts = {
  valueAt: (time: string, value: string) => `${time}: ${value}`,
  highest: (value: string, time: string) => `Highest: ${value} (${time})`,
} as const;
