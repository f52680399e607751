/** @returns a positive integer of 31 bits for a UUID, always the same. */
export const getInteger = (id: string): number => Number.parseInt(id.slice(-8), 16) & 0x7fffffff || 1
