import { ApiError } from '@platen/runtime/errors.ts'

/** What the overview is made of, as far as it can be missing. */
export const SOURCES = ['jobs', 'devices', 'statistics', 'events', 'webhooks', 'plan', 'keys'] as const
export type Source = (typeof SOURCES)[number]

/** The time limit of each call, so that a service that does not answer delays the other parts only for this time. */
export const TIMEOUT_MS = 3_000

export interface Sources {
  /** @returns undefined if the service does not answer, which `missing` then lists. */
  read<T>(source: Source, answer: Promise<T>): Promise<T | undefined>
  missing: Set<Source>
}

export function createSources(): Sources {
  const missing = new Set<Source>()
  return {
    missing,
    read: (source, answer) =>
      answer.catch((error: unknown) => {
        if (!(error instanceof ApiError && error.code === 'service_unavailable')) throw error
        missing.add(source)
        return undefined
      }),
  }
}
