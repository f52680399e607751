/** A start that cannot succeed before somebody does something. The message is one sentence that says what. */
export class StartupError extends Error {}
