/** MikroORM on the pool of a service: discards broken connections and throws `service_unavailable`. */
import { type Configuration, PostgreSqlDriver } from '@mikro-orm/postgresql'
import { PostgresDialect, type PostgresPoolClient } from 'kysely'
import { DatabaseError, type Pool, type PoolClient, types } from 'pg'
import { ApiError } from '../errors.ts'
import { UNLOGGED_FIELDS } from '../log.ts'
import { asUnavailable, isUnusable, orUnavailable } from './unavailable.ts'

/** Kysely does not release a connection to its pool after one of these statements failed. */
const NOT_RELEASED_AFTER = ['begin', 'rollback']

/** MikroORM parses them itself. */
const READ_AS_TEXT: number[] = ['DATE', 'TIMESTAMP', 'TIMESTAMPTZ', 'INTERVAL'].map(
  (name) => types.builtins[name as keyof typeof types.builtins],
)

const getTypeParser = ((oid: number, format: 'text') =>
  READ_AS_TEXT.includes(oid) ? String : types.getTypeParser(oid, format)) as typeof types.getTypeParser

/** Lends connections of the pool, which its owner closes, to the statements of entities. */
export const entityDialect = (pool: Pool): PostgresDialect =>
  new PostgresDialect({
    pool: {
      options: {},
      connect: async () => new EntityConnection(await pool.connect()),
      end: async () => undefined,
    },
  })

/**
 * A connection from its acquisition to its release. The pool closes it then if a statement got no response, or the
 * server became read-only. Further statements fail at once, because a rollback would wait for the hanging one.
 */
class EntityConnection implements PostgresPoolClient {
  private readonly client: PoolClient
  private failure: Error | undefined

  constructor(client: PoolClient) {
    this.client = client
  }

  /** Only with a text, because MikroORM writes values into it. */
  query(text: unknown): never {
    return this.send(String(text)) as never
  }

  release(): void {
    this.client.release(this.failure)
  }

  private async send(text: string) {
    try {
      if (this.failure) throw this.failure
      return await this.client.query({ text, types: { getTypeParser } })
    } catch (error) {
      if (isUnusable(error)) this.failure = error as Error
      if (NOT_RELEASED_AFTER.includes(text)) this.client.release(true)
      throw error
    }
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
