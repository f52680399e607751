/**
 * The jobs of the list from which a job was opened last, in its order. The page of a job leads to the next one. A
 * reload ends it.
 */
let order: readonly string[] = []

export function setJobOrder(ids: readonly string[]): void {
  order = ids
}

/** @param step 1 for the next job of the list, -1 for the previous one. @returns undefined without one. */
export function findNeighbour(id: string, step: 1 | -1): string | undefined {
  const index = order.indexOf(id)
  return index < 0 ? undefined : order[index + step]
}
