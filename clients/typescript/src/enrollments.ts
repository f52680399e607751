import type { Body, Item, Query, Result } from './api.ts'
import { type Http, path, type RequestOptions } from './http.ts'
import type { List } from './list.ts'

export class Enrollments {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Creates a token that agents exchange for a credential, which is bound to one computer. A second enrolment from the
   * same data directory keeps the id of the computer. Requires a live key, because test mode has only its virtual
   * computer.
   *
   * Requires the scope `admin`.
   *
   * @operation createEnrollment
   */
  async create(request: Body<'createEnrollment'> = {}, options?: RequestOptions): Promise<Result<'createEnrollment'>> {
    return await this.#http.json<'createEnrollment'>(
      { method: 'POST', path: '/v1/enrollments', body: request },
      options,
    )
  }

  /**
   * Lists the enrolment tokens of the organization, also expired and used-up ones, the newest first by default. The
   * token itself is only in the response that created it. Test mode has none.
   *
   * Requires the scope `admin`.
   *
   * @operation listEnrollments
   */
  list(query?: Query<'listEnrollments'>, options?: RequestOptions): List<Item<'listEnrollments'>> {
    return this.#http.list<'listEnrollments'>('/v1/enrollments', query, options)
  }

  /**
   * No further computer can be enrolled with the token. Computers that were enrolled with it stay.
   *
   * Requires the scope `admin`.
   *
   * @operation deleteEnrollment
   */
  async delete(id: string, options?: RequestOptions): Promise<void> {
    await this.#http.json<'deleteEnrollment'>({ method: 'DELETE', path: path`/v1/enrollments/${id}` }, options)
  }

  /**
   * Called by `platen-agent enroll`. Exchanges an enrolment token for a credential that is bound to one computer.
   * Without an `Idempotency-Key`, do not repeat the request automatically if no response arrived, because it may have
   * spent a use of the token.
   *
   * Requires an enrolment token, `Authorization: Bearer platen_enroll_…`, instead of an API key.
   *
   * @operation enrollAgent
   * @param token an enrolment token, which is used instead of the API key.
   */
  async enrollAgent(
    token: string,
    agent: Body<'enrollAgent'>,
    options?: RequestOptions,
  ): Promise<Result<'enrollAgent'>> {
    const idempotencyKey = crypto.randomUUID()
    return await this.#http.json<'enrollAgent'>(
      { method: 'POST', path: '/v1/agents/enroll', body: agent, token, idempotencyKey },
      options,
    )
  }
}
