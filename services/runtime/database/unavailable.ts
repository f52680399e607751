/** Distinguishes temporary failures of the database, which become `service_unavailable`, from defects. */
import { DatabaseError } from 'pg'
import { ApiError } from '../errors.ts'
import { dbUnavailable } from '../telemetry/metrics.ts'

/**
 * SQLSTATE classes: connection exception, insufficient resources, operator intervention (includes statement timeouts).
 */
const UNAVAILABLE_CLASSES = ['08', '53', '57']

/** SQLSTATE of a write on a server that became a standby. */
const READ_ONLY = '25006'

/**
 * Counts a failure of the database.
 *
 * @param service whose statement failed.
 * @param error of a statement or of acquiring its connection.
 * @returns `service_unavailable` with the error as its cause, or the error itself if the statement is at fault.
 */
export function asUnavailable(service: string, error: unknown): unknown {
  if (!isUnavailable(error)) return error
  dbUnavailable.add(1, { service })
  return toUnavailable(error)
}

export const toUnavailable = (cause: unknown) =>
  new ApiError('service_unavailable', 'A part of the service is not answering. Try again in a moment.', { cause })

/** Wraps `work` so that its errors pass through `asUnavailable`. */
export function orUnavailable<Args extends unknown[], Result>(
  service: string,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    try {
      return await work(...args)
    } catch (error) {
      throw asUnavailable(service, error)
    }
  }
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseError && error.code !== READ_ONLY)
    return UNAVAILABLE_CLASSES.includes(error.code?.slice(0, 2) ?? '')
  return isUnusable(error)
}

/** Another statement on the same connection would fail as well. */
export const isUnusable = (error: unknown): boolean =>
  isConnectionError(error) || (error instanceof DatabaseError && error.code === READ_ONLY)

/**
 * Refused, reset or timed out, without a response of the server. Node and `pg` throw a plain `Error` for these; program
 * defects have subclasses such as `TypeError`.
 */
function isConnectionError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isConnectionError)
  return error instanceof Error && error.constructor === Error
}
