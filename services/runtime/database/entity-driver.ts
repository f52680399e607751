/** MikroORM on connections that can fail: what it needs for that beside the settings of `connection-settings.ts`. */
import { type Configuration, PostgreSqlDriver } from '@mikro-orm/postgresql'
import { Client } from 'pg'
import { ApiError } from '../errors.ts'
import { asUnavailable, isOfConnection, orUnavailable } from './unavailable.ts'

/** Kysely does not give a connection back to its pool on which one of these has failed. */
const KEPT_AFTER = ['begin', 'rollback']

/**
 * Ends when a statement had no answer. MikroORM gives each connection back to its pool as if nothing had happened to it, and the next
 * one to get it would wait behind the statement that hangs; a connection that has ended the pool throws away.
 */
export class EntityClient extends Client {
  /** Set by the pool that has lent the connection. */
  declare release?: (error: unknown) => void

  override query(...asked: unknown[]): never {
    const answer: unknown = Reflect.apply(super.query, this, asked)
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (KEPT_AFTER.includes(String(asked[0]))) this.release?.(error)
        else if (isOfConnection(error)) void this.end()
      })
    return answer as never
  }
}

/** Fails with `service_unavailable` while there is no way to the database, where MikroORM would make a `DriverException` of it. */
export class EntityDriver extends PostgreSqlDriver {
  constructor(config: Configuration) {
    super(config)
    const { connection } = this
    connection.begin = orUnavailable(connection.begin.bind(connection))
    connection.commit = orUnavailable(connection.commit.bind(connection))
  }

  protected override async rethrow<Result>(statement: Promise<Result>): Promise<Result> {
    try {
      return await statement
    } catch (error) {
      const found = asUnavailable(error)
      if (found instanceof ApiError) throw found
      return await super.rethrow(Promise.reject(found))
    }
  }
}
