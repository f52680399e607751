import { createHash } from 'node:crypto'
import type { RouteStep } from '../context.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { renderPage, STYLE } from '../openapi/page/page.ts'
import { publish } from '../openapi/publish.ts'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Nothing is loaded and nothing runs: the page is text and its own style. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `GET /docs`: the interface, for people. Public. */
export function docs(document: OpenApiDocument): RouteStep {
  return publish('text/html', renderPage(document), {
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
  })
}
