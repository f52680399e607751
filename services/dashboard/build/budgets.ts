/** Bytes of gzip. */
export const BUDGETS = {
  /** The JavaScript of the sign-in page. */
  signIn: 20_000,
  /** The JavaScript of the first load of every other page. */
  shell: 112_000,
  style: 15_000,
  /** The JavaScript that one more page adds. */
  page: 25_000,
  /** The JavaScript that the first preview of a PDF adds, with both workers. */
  preview: 550_000,
} as const
