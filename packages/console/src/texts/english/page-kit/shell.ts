import { number, plural } from '../../numbers.ts';

/** The texts around the pages of both applications, in English. */
export const shell = {
  product: 'Waybill',
  language: 'Language',
  close: 'Close',
  cancel: 'Cancel',
  outdated: 'This was changed meanwhile, or is gone. This dialog can only be closed.',
  loading: 'Loading…',
  unreachable: 'The server cannot be reached. Check the network connection.',
  noAnswer: (seconds: number) => `The server has not answered for ${number(seconds)} s.`,
  unexpected: (status: number) => `The server answered with the status ${status}.`,
  notUpToDate: 'What this page shows is not up to date.',
  readLastAt: (time: string, reason: string) =>
    `Some of it was last read at ${time}. The page tries again by itself. ${reason}`,
  stillLoggedIn: 'You are still logged in',
  logOutFailed:
    'The server did not end your session. The next user of this browser would have your account. Try again.',
  loginAgain: 'Your session has ended. Log in to continue where you were.',
  userName: 'User name',
  loggedInAs: (userName: string) => `Logged in as ${userName}`,
  password: 'Password',
  logIn: 'Log in',
  logOut: 'Log out',
  newPassword: 'New password',
  passwordsDiffer: 'The two new passwords differ.',
  download: 'Download',
  partNotLoaded: 'The server did not send this part of the page. Load the page again.',
  loadAgain: 'Load the page again',
  presentPassword: 'Current password',
  selectAll: 'Select all',
  printedRows: (first: number, last: number) =>
    `Rows ${number(first)} to ${number(last)}. Rows that the page had not read are not on paper.`,
  notFoundTitle: 'There is no such page',
  notFound: 'The address may be of another release, or mistyped.',
  blanks: (count: number) => plural(count, { one: '1 blank', other: `${number(count)} blanks` }),
  hiddenCharacter: (code: string) => `hidden character ${code}`,
  permissionNames: {
    list: 'list',
    download: 'download',
    upload: 'upload',
    delete: 'delete',
    rename: 'rename',
    createFolder: 'create folders',
  },
} as const;
