import { number } from '../../numbers.ts';

/** The texts of running transfers, in English. */
export const transfers = {
  title: 'Running transfers',
  none: 'No transfer has run for more than a second.',
  count: (total: number, shown: number) => `${number(total)} transfers run; the oldest ${number(shown)} are shown.`,
  file: 'File',
  unknown: 'not known yet',
  transferred: 'Transferred',
  rate: 'Rate',
  protocol: 'Protocol',
  end: {
    upload: (file: string) => `End the upload of ${file}`,
    download: (file: string) => `End the download of ${file}`,
  },
  ended: 'The transfer has ended meanwhile.',
  endTitle: {
    upload: (file: string, user: string) => `End the upload of ${file} by ${user}?`,
    download: (file: string, user: string) => `End the download of ${file} by ${user}?`,
  },
  endEffect: {
    SFTP: 'The session is ended and the client is disconnected. An interrupted upload can be resumed.',
    HTTP: 'The connection is closed. An interrupted upload can be repeated or resumed: freeze the user to prevent that.',
  },
} as const;
