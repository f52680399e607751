/**
 * The document as one page of HTML: no script, nothing loaded from anywhere, made once at start. Renderers that one can install
 * weigh 1 to 3 MB of script, which would have to be allowed to run; this one is read by any browser, also without a network.
 */
import { readFileSync } from 'node:fs'
import type { OpenApiDocument } from '../document.ts'
import { anchor, Html, html, inline, paragraphs } from './html.ts'
import { type Located, renderOperation } from './operation.ts'
import { fieldTable } from './schema.ts'

/** The page's policy names it by its hash. */
export const STYLE = readFileSync(new URL('page.css', import.meta.url), 'utf8')

export function renderPage(document: OpenApiDocument): string {
  const { info, tags, components } = document
  const groups = tags
    .map(({ name, description }) => ({ name, description, operations: operationsOf(document, name) }))
    .filter(({ operations }) => operations.length > 0)
  const chapters = [...info.description.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${info.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<nav aria-label="Contents">
<p><strong>${info.title}</strong> ${info.version}</p>
<p>For all requests</p>
<ul>${chapters.map((title) => html`<li><a href="#${anchor(title)}">${title}</a></li>`)}</ul>
${groups.map(
  ({ name, operations }) => html`<p><a href="#${anchor(name)}">${name}</a></p>
<ul>${operations.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}</ul>`,
)}
<p><a href="#schemas">Schemas</a></p>
<ul>${Object.keys(components.schemas).map((name) => html`<li><a href="#schema-${anchor(name)}">${name}</a></li>`)}</ul>
</nav>
<main id="content">
<h1>${info.title}</h1>
<p>Version ${info.version}. For programs: <a href="/v1/openapi.json">/v1/openapi.json</a> (OpenAPI ${document.openapi}).</p>
${paragraphs(info.description)}
${groups.map(
  ({ name, description, operations }) => html`<h2 id="${anchor(name)}">${name}</h2>
<p>${description}</p>
${operations.map((located) => renderOperation(document, located))}`,
)}
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<section aria-labelledby="schema-${anchor(name)}">
<h3 id="schema-${anchor(name)}"><a href="#schema-${anchor(name)}">${name}</a></h3>
<p>${inline(schema.description ?? '')}</p>
${fieldTable(schema, `Fields of ${name}`)}
</section>
`,
)}
</main>
</body>
</html>
`
  return page.text
}

function operationsOf({ paths }: OpenApiDocument, tag: string): Located[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  )
}
