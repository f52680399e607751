/** HTML in which every text is escaped unless it was made here. */

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | readonly Value[] | undefined

/** A tagged template: what stands in `${}` is text, or HTML that was made by the same tag; undefined is nothing. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.map((string, at) => string + toText(values[at])).join(''))
}

function toText(value: Value): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(toText).join('')
  return escapeText(String(value))
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** A sentence in which backticks make code. */
export function inline(text: string): Html[] {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

/** The little Markdown that the document is written in: paragraphs, `## headings` and code. */
export function paragraphs(text: string): Html[] {
  return text.split('\n\n').map((block) => {
    if (!block.startsWith('## ')) return html`<p>${inline(block)}</p>`
    const title = block.slice(3)
    return html`<h2 id="${anchor(title)}">${title}</h2>`
  })
}

/** The part of an address that leads to a heading. */
export function anchor(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
