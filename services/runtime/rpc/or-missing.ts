import { ApiError } from '../errors.ts'

/** @returns undefined for a resource that does not exist. */
export async function orMissing<T>(found: Promise<T>): Promise<T | undefined> {
  return await found.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  })
}
