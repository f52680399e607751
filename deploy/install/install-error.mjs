/** An installation that cannot go on. The message is one sentence that says what to do. */
export class InstallError extends Error {}
