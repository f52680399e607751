/**
 * The printer that was used last in this browser, which the next form proposes. Ids are unique over organizations and
 * modes.
 */
const KEY = 'platen-printers'

/** One printer of each mode and organization, at most. */
const MAX = 20

const read = (): string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** @returns the id of the printer that was used last among these. */
export const findLastUsed = (printers: readonly { id: string }[]): string | undefined =>
  read().find((id) => printers.some((printer) => printer.id === id))

export const storeLastUsed = (id: string): void =>
  localStorage.setItem(KEY, JSON.stringify([id, ...read().filter((one) => one !== id)].slice(0, MAX)))
