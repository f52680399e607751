/** Tells what keeps us from the database for now from defects: the former leaves a service as `service_unavailable`. */
import { DatabaseError } from 'pg'
import { ApiError } from '../errors.ts'

/** Of SQLSTATE: connection exceptions, insufficient resources, operator intervention (which statement timeouts count as). */
const UNAVAILABLE_CLASSES = ['08', '53', '57']

/**
 * @param error that a statement, or getting a connection for it, failed with.
 * @returns `service_unavailable` with the error as its cause, or the error itself when the statement is at fault.
 */
export function asUnavailable(error: unknown): unknown {
  if (!isUnavailable(error)) return error
  return new ApiError('service_unavailable', 'A part of the service is not answering. Try again in a moment.', {
    cause: error,
  })
}

/** @returns `work`, whose errors have gone through `asUnavailable`. */
export function orUnavailable<Args extends unknown[], Result>(
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    try {
      return await work(...args)
    } catch (error) {
      throw asUnavailable(error)
    }
  }
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseError) return UNAVAILABLE_CLASSES.includes(error.code?.slice(0, 2) ?? '')
  return isOfConnection(error)
}

/**
 * Not the server's word: refused, reset, timed out. For these Node and `pg` have plain errors, where defects of programs have classes
 * of their own.
 */
export function isOfConnection(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isOfConnection)
  return error instanceof Error && error.constructor === Error
}
