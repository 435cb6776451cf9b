/** A hash: the last report of each process. */
export const presenceKey = 'waybill:presence';
