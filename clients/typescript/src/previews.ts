import type { Body, Result } from './api.ts'
import type { Http, RequestOptions } from './http.ts'

export class Previews {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Draws what a printer would print of a document in ZPL II or ESC/POS, without printing or storing it. The body is
   * JSON or a form, as for a print job: `curl -F file=@label.zpl …`.
   *
   * The response has one SVG document per label. With `Accept: image/svg+xml` it is the SVG of the first page alone.
   *
   * Bar codes have the data, the modules and the position that the printer gives them. Text has its widths; the shapes
   * of its letters are similar. Commands that the picture does not show are in `warnings`. A picture that takes more
   * than 2 s ends with a warning.
   *
   * Requires the scope `read`.
   *
   * @operation createPreview
   */
  async create(request: Body<'createPreview'>, options?: RequestOptions): Promise<Result<'createPreview'>> {
    return await this.#http.json<'createPreview'>({ method: 'POST', path: '/v1/previews', body: request }, options)
  }
}
