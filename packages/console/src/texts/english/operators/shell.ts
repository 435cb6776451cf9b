import { number, plural } from '../../numbers.ts';

/** The texts around the pages, in English. */
export const shell = {
  pageTitle: 'Console · Waybill',
  unreadable: 'The server answered in a form that this page does not know. Reload the page.',
  outcomeUnknown: (seconds: number) =>
    `The server has not answered for ${number(seconds)} s. It may have done what you asked: look before you try again.`,
  reference: (requestId: string) => `request ${requestId}`,
  actions: 'Actions',
  selection: 'Selection',
  stop: 'Stop',
  stopped: (count: number) => `Stopped: ${number(count)} not reached, which stay as they are.`,
  findBeginning: (value: string) => `Find what begins with ${value}`,
  showWhole: (title: string) => `${title}: show the whole`,
  faultyFilters: (count: number) =>
    plural(count, {
      one: 'Nothing is shown, for this filter is unknown:',
      other: 'Nothing is shown, for these filters are unknown:',
    }),
  loginTitle: 'Log in to the console',
  code: 'Code of the second factor',
  codeHint: 'The present code of your authenticator app, or a recovery code. Each works once.',
  repeatPassword: 'New password again',
  logInWith: (issuer: string) => `Log in with ${issuer}`,
  changePassword: 'Change password',
  choosePassword: 'Choose a new password',
  haveFirstCode: 'I have a code for my first password',
  firstPasswordTitle: 'Set your first password',
  firstPasswordNote: 'An administrator has given you a code, which works once.',
  firstPasswordCode: 'Code for the first password',
  firstCodeHint: 'It looks like A1B2C-D3E4F-G5H6J-K7M8N-P9Q0R.',
  setFirstPassword: 'Set the password',
  firstCodePerhapsUsed:
    'The code is not accepted now. The server may have set the password before, when its answer did not arrive: try to log in with it.',
  firstCodeRefused:
    'The user name and the code do not belong together, or the code was used or has expired. An administrator can issue another one.',
  passwordSet: 'The password is set. Log in with it.',
  back: 'Back',
  skipToContent: 'Skip to the content',
  pages: 'Pages',
  menu: 'Menu',
  passwordHint: 'A change ends your sessions, also those of other browsers.',
  notAllowedTitle: 'This page is not for you',
  notAllowed: 'Your roles do not allow what it shows. Ask an administrator.',
  draft: 'What you have typed',
  draftNotAllowed:
    'What you have typed cannot be saved: your roles do not allow it any more. It stays here to be copied, until you leave the page.',
  leaveTitle: 'Leave without saving?',
  leaveEffect: 'What you have typed is not saved. It is lost when you leave.',
  leave: 'Leave',
  failedTitle: 'This page could not be shown',
  pageNotLoaded: 'The server did not send this page. It is loaded as soon as the server answers again.',
  pageStillNotLoaded: 'The server did not send this page, again. Load it again later, or ask an administrator.',
  old: 'Not up to date',
  reload: 'Reload',
  noPages: 'Your roles allow nothing that the console shows. Ask an administrator.',
} as const;
