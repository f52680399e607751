/** MikroORM with failing connections: closes broken connections and throws `service_unavailable`. */
import { type Configuration, PostgreSqlDriver } from '@mikro-orm/postgresql'
import { Client, DatabaseError } from 'pg'
import { ApiError } from '../errors.ts'
import { UNLOGGED_FIELDS } from '../log.ts'
import { asUnavailable, isUnusable, orUnavailable } from './unavailable.ts'

/** Kysely does not release a connection to its pool after one of these statements failed. */
const NOT_RELEASED_AFTER = ['begin', 'rollback']

/**
 * Closes the connection if a statement got no response, or the server became read-only. MikroORM releases each connection to its pool in
 * any case, and the next statement would wait for the hanging one. The pool discards closed connections.
 */
export class EntityClient extends Client {
  /** Set by the pool while the connection is in use. */
  declare release?: (error: unknown) => void

  override query(...args: unknown[]): never {
    const result: unknown = Reflect.apply(super.query, this, args)
    if (result instanceof Promise)
      result.catch((error: unknown) => {
        if (NOT_RELEASED_AFTER.includes(String(args[0]))) this.release?.(error)
        else if (isUnusable(error)) void this.end()
      })
    return result as never
  }
}

/** Throws `service_unavailable` instead of a `DriverException` while the database is unreachable. */
export class EntityDriver extends PostgreSqlDriver {
  private readonly service: string

  constructor(config: Configuration) {
    super(config)
    this.service = config.get('schema') ?? ''
    const { connection } = this
    connection.begin = orUnavailable(this.service, connection.begin.bind(connection))
    connection.commit = orUnavailable(this.service, connection.commit.bind(connection))
  }

  protected override async rethrow<Result>(statement: Promise<Result>): Promise<Result> {
    try {
      return await statement
    } catch (error) {
      const mapped = asUnavailable(this.service, error)
      if (mapped instanceof ApiError) throw mapped
      // MikroORM would add them to the message of its own error.
      if (mapped instanceof DatabaseError) for (const name of UNLOGGED_FIELDS) Reflect.deleteProperty(mapped, name)
      return await super.rethrow(Promise.reject(mapped))
    }
  }
}
