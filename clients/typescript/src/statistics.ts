import type { Query } from './api.ts'
import type { JobStatistics } from './gen/schema.ts'
import type { Http, RequestOptions } from './http.ts'
import type { List } from './list.ts'

export class Statistics {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Counts the jobs of the organization and mode of the key by their final state and reason, by hour, day or month in
   * UTC, the newest first by default. Intervals without a job have no entry. Days go back 400 days, hours at least 9
   * days. The counts are up to date within 3 s, or within 12 s while the installation handles hundreds of jobs a
   * second.
   *
   * Requires the scope `read`.
   *
   * @operation listStatistics
   */
  list(query?: Query<'listStatistics'>, options?: RequestOptions): List<JobStatistics> {
    return this.#http.list<'listStatistics'>('/v1/statistics', query, options)
  }
}
