/**
 * Why the agent cannot list the printers of the operating system, as the API shows it. Null: it can, or does not report
 * it.
 */
export const ADD_SPOOLER_PROBLEM = [`ALTER TABLE devices.computer ADD COLUMN spooler_problem jsonb`]
