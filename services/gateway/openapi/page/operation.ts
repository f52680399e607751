/** One operation: what it takes, what it answers, and how to call it. */
import type { DocumentedOperation, OpenApiDocument, Parameter, Response } from '../document.ts'
import type { JsonSchema } from '../json-schema.ts'
import { resolve } from '../resolve.ts'
import { type Html, html, inline, paragraphs } from './html.ts'
import { fieldTable, row } from './schema.ts'

export interface Located {
  method: string
  path: string
  operation: DocumentedOperation
}

export function renderOperation(document: OpenApiDocument, located: Located): Html {
  const { method, path, operation } = located
  const body = operation.requestBody?.content['application/json']
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolve<Response>(document, response)] as const,
  )
  return html`<section aria-labelledby="${operation.operationId}">
<h3 id="${operation.operationId}"><a href="#${operation.operationId}">${operation.summary}</a></h3>
<p class="call"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
${paragraphs(operation.description)}
${parameterTable(document, operation)}
${body && fieldTable(resolve<JsonSchema>(document, body.schema), 'Body')}
${bodiesOf(body).map(({ summary, value }) => example(summary, curl(located, value)))}
${responses.filter(([status]) => status < '300').map(([status, response]) => success(status, response))}
<details><summary>Errors</summary>
<table><caption>Errors of ${path}</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Codes</th></tr></thead>
<tbody>${responses.filter(([status]) => status >= '400').map(([status, response]) => failure(status, response))}</tbody></table>
</details>
</section>
`
}

interface Body {
  summary: string
  value: unknown
}

/** One for each form that it may have; without a body one that is none. */
function bodiesOf(body: { example?: unknown; examples?: Record<string, object> } | undefined): Body[] {
  if (body?.examples) return Object.values(body.examples) as Body[]
  return [{ summary: 'Example', value: body?.example }]
}

function example(summary: string, text: string): Html {
  return html`<h4>${summary}</h4>
<pre tabindex="0"><code>${text}</code></pre>
`
}

function parameterTable(document: OpenApiDocument, { parameters = [] }: DocumentedOperation): Html | undefined {
  if (parameters.length === 0) return undefined
  const rows = parameters.map((one) => {
    const { name, in: place, required, description, schema } = resolve<Parameter>(document, one)
    return row(name, { ...schema, description }, required ? place : `${place}, optional`)
  })
  return html`<table><caption>Parameters</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${rows}</tbody></table>`
}

function success(status: string, { description, headers, content }: Response): Html {
  const { schema, example } = content?.['application/json'] ?? {}
  const name = schema?.$ref?.split('/').at(-1)
  const link = name && html` See <a href="#schema-${name.toLowerCase()}">${name}</a>.`
  const answer = html`<h4>Answer ${status}</h4>
<p>${inline(description)}${link} Headers: ${Object.keys(headers).flatMap((header, at) => [html`${at === 0 ? '' : ', '}`, html`<code>${header}</code>`])}.</p>`
  if (!example) return answer
  return html`${answer}
<details><summary>Example of the answer</summary>
<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre></details>`
}

function failure(status: string, { description }: Response): Html {
  return html`<tr><th scope="row">${status}</th><td>${paragraphs(description)}</td></tr>
`
}

function curl({ method, path, operation }: Located, body: unknown): string {
  const url = `"$PLATEN_URL${path.replace('{id}', '$ID')}"`
  const idempotent = operation.parameters?.some((one) => '$ref' in one && one.$ref.endsWith('/IdempotencyKey'))
  return [
    `curl -u "$PLATEN_KEY:" ${method === 'get' || (method === 'post' && body) ? '' : `-X ${method.toUpperCase()} `}${url}`,
    ...(idempotent ? ["-H 'Idempotency-Key: order-1042-invoice'"] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2)}'`] : []),
  ].join(' \\\n  ')
}
