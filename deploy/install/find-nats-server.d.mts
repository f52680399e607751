/** The program's path; undefined when this machine has none. */
export function findNatsServer(path?: string): string | undefined
export const NATS_SERVER: string
