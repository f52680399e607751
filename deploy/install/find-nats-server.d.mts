/** The program's path; undefined when this machine has none. */
export function findNatsServer(path?: string): string | undefined
