/** An error that the user must correct. Its message contains the necessary action. */
export class StartupError extends Error {}
