import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Gateway } from '../../gateway.ts'
import { openApiDocument } from '../../openapi/document.ts'
import { renderPage } from '../../openapi/page/page.ts'
import { operationsOf } from '../../operations.ts'

const DOCUMENT = openApiDocument(operationsOf({} as Gateway))

type Element = DefaultTreeAdapterTypes.Element

/** Every element of a page, in its order. @throws Error for what is no right HTML. */
function elementsOf(page: string): Element[] {
  const tree = parse(page, {
    onParseError: ({ code, startLine }) => {
      throw new Error(`${code} in line ${startLine}`)
    },
  })
  const walk = (node: DefaultTreeAdapterTypes.ParentNode): Element[] =>
    node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...walk(child)] : []))
  return walk(tree)
}

const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value
const all = (elements: Element[], name: string) => elements.flatMap((one) => attribute(one, name) ?? [])
const named = (elements: Element[], ...names: string[]) => elements.filter(({ tagName }) => names.includes(tagName))

describe('the page', () => {
  const page = renderPage(DOCUMENT)
  let elements: Element[]
  beforeAll(() => {
    elements = elementsOf(page)
  })

  test('needs no script and nothing from elsewhere', () => {
    expect(named(elements, 'script', 'iframe', 'img', 'object', 'form', 'base')).toEqual([])
    const attributes = new Set(elements.flatMap(({ attrs }) => attrs.map(({ name }) => name)))
    expect([...attributes].filter((name) => name.startsWith('on') || name === 'style' || name === 'src')).toEqual([])
    const elsewhere = all(elements, 'href').filter((href) => !href.startsWith('#'))
    expect(elsewhere).toEqual(['data:,', '/v1/openapi.json'])
    expect(page).not.toMatch(/@import|url\(/)
  })

  test('has links that lead to a place on it, each place once', () => {
    const ids = all(elements, 'id')
    expect(new Set(ids).size).toBe(ids.length)
    for (const href of all(elements, 'href')) if (href.startsWith('#')) expect(ids).toContain(href.slice(1))
    for (const label of all(elements, 'aria-labelledby')) expect(ids).toContain(label)
  })

  test('can be read by ear and used by keyboard: language, title, landmarks, headings in order, captions, scrolling', () => {
    expect(attribute(named(elements, 'html')[0] as Element, 'lang')).toBe('en')
    expect(named(elements, 'title', 'main', 'h1').map(({ tagName }) => tagName)).toEqual(['title', 'main', 'h1'])
    const [first] = named(elements, 'a')
    expect(attribute(first as Element, 'href')).toBe('#content')
    const levels = named(elements, 'h1', 'h2', 'h3', 'h4').map(({ tagName }) => Number(tagName[1]))
    for (const [at, level] of levels.entries()) expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1)
    expect(named(elements, 'table').length).toBe(named(elements, 'caption').length)
    for (const cell of named(elements, 'th')) expect(attribute(cell, 'scope')).toMatch(/^(col|row)$/)
    for (const block of named(elements, 'pre')) expect(attribute(block, 'tabindex')).toBe('0')
  })

  test('shows every operation, parameter, field, error code and header [endpoint.GET.docs]', () => {
    const shown = new Set([...page.matchAll(/<code>([^<]*)<\/code>/g)].map(([, text]) => text))
    const ids = all(elements, 'id')
    for (const [path, methods] of Object.entries(DOCUMENT.paths)) {
      expect(shown).toContain(path)
      for (const { operationId } of Object.values(methods)) expect(ids).toContain(operationId)
    }
    for (const [name, schema] of Object.entries(DOCUMENT.components.schemas)) {
      expect(ids).toContain(`schema-${name.toLowerCase()}`)
      for (const field of Object.keys(schema.properties ?? {})) expect(shown).toContain(field)
    }
    for (const code of ['mode_mismatch', 'rate_limited', 'quota_exceeded', 'unauthorized'])
      expect(shown).toContain(code)
    for (const name of ['Idempotency-Key', 'limit', 'dir', 'X-Request-Id', 'Idempotent-Replayed'])
      expect(shown).toContain(name)
  })

  test('shows text as text, whatever is in it', () => {
    const evil = structuredClone(DOCUMENT)
    const text = `</style><script>alert(1)</script>"'&`
    evil.info.description = `## ${text}\n\n\`${text}\``
    for (const methods of Object.values(evil.paths))
      for (const operation of Object.values(methods)) Object.assign(operation, { summary: text, description: text })
    for (const schema of Object.values(evil.components.schemas))
      Object.assign(schema, { description: text, examples: [text] })
    expect(named(elementsOf(renderPage(evil)), 'script')).toEqual([])
  })
})
