/**
 * `GET /docs/openapi/`: all operations and fields for people, shown by Swagger UI, which can also send requests.
 * Public. All its files are served here, so that it works without the internet.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RouteStep } from '../context.ts'
import { PERMISSIONS_POLICY } from '../middleware/security-headers.ts'
import { publish } from './publish.ts'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Operations | Platen</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/openapi/swagger-ui.css">
<script src="/docs/openapi/swagger-ui-bundle.js" defer></script>
<script src="/docs/openapi/start.js" defer></script>
</head>
<body>
<div id="api"><p>This page needs JavaScript. Programs read <a href="/v1/openapi.json">the OpenAPI document</a>.</p></div>
</body>
</html>
`

const START = `SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
  queryConfigEnabled: false,
  defaultModelsExpandDepth: 0,
})
`

/**
 * Permits only our own files, images in the style sheet of Swagger UI (`data:`), and requests to the API for "Try it
 * out".
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const { resolve } = createRequire(import.meta.url)

/** A file of Swagger UI. Read at its first request, because it takes 4 MB and few installations show the page. */
function publishAsset(type: string, name: string): RouteStep {
  let step: RouteStep | undefined
  return (...request) => {
    step ??= publish(type, readFileSync(resolve(`swagger-ui-dist/${name}`), 'utf8'))
    return step(...request)
  }
}

/** The step of each path. */
export function swagger(): Record<string, RouteStep> {
  const headers = { 'Content-Security-Policy': POLICY, 'Permissions-Policy': PERMISSIONS_POLICY }
  return {
    '/docs/openapi/': publish('text/html', PAGE, headers),
    '/docs/openapi/start.js': publish('text/javascript', START),
    '/docs/openapi/swagger-ui-bundle.js': publishAsset('text/javascript', 'swagger-ui-bundle.js'),
    '/docs/openapi/swagger-ui.css': publishAsset('text/css', 'swagger-ui.css'),
  }
}
