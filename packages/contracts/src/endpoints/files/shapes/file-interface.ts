/** How the document of the file interface presents itself, wherever it is found. */
export const fileInterface = {
  title: 'Waybill: HTTP file interface',
  version: '2.0',
  description: 'Log in, and list, upload, download, describe and delete files.',
} as const;
