/** Removes paths from texts of spoolers and of Node, which all users of the API can read. */

const FILE_URL = /\bfile:\/\/\/?(?:[A-Za-z]:)?[^\s'"`,;:()]*/g

/** Below the top directories of Linux and macOS, so that names in a PDF such as `/Count` and `/Type/Page` stay. */
const POSIX =
  /(?<![\w/.])\/(?:Applications|Library|System|Users|Volumes|dev|etc|home|media|mnt|opt|private|root|run|srv|tmp|usr|var)\/[^\s'"`,;:()]+/g

/** A directory can contain spaces. */
const WINDOWS = /\b[A-Za-z]:\\(?:[^\\/:*?"'<>|\r\n]+\\)*[^\s\\/:*?"'<>|,;()]*/g

/** The name of a document in the spool directory of CUPS. */
const SPOOLED = /\/d\d+-\d+$/

const hide = (path: string) => (SPOOLED.test(path) ? 'the document' : 'a file of the computer')

export const hidePaths = (text: string) =>
  text.replaceAll(FILE_URL, hide).replaceAll(POSIX, hide).replaceAll(WINDOWS, 'a file of the computer')
