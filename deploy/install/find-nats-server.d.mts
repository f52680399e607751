/** The path of the program; undefined if it is not installed. */
export function findNatsServer(path?: string): string | undefined
export const NATS_SERVER: string
