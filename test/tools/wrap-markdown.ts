/**
 * Wraps paragraphs and list items of Markdown at 120 characters; `npm run format` calls it with `--write`. Without, as
 * one of `npm run check`, fails for a block with a longer line. Blocks without one, tables, code and headings stay as
 * they are. Formatters of Markdown would also pad tables, whose rows tests and generators read.
 */
import { rewriteFiles } from './files.ts'

export const WIDTH = 120
/** The form of a paragraph or an item of a list: its first line, and the indentation of the others. */
const TEXT = /^(?<first>\s*(?:(?:[-*]|\d+\.) )?)(?=\S)/
/** A tag of a comment. Its further lines are indented by two. */
const TAG = /^@(?:param|returns|throws)\b/
/** What is no text: headings, tables, HTML, definitions of links, a picture alone, rules. */
const OTHER = /^\s*(#{1,6} |\||<!--|<\w|\[[^\]]+\]: |!\[[^\]]*\]\([^)]*\)$|---$|> )/
/** Begins a list or a heading at the start of a line. */
const MARKER = /^([-+*#>|]|#{2,6}|\d+[.)]|@(?:param|returns|throws))$/
/** What is never parted: code, links and HTML. */
const WORD = /(?:`[^`]*`|!?\[[^\]]*\]\([^)]*\)|<[^>]*>|\S)+/g

const startsItem = (line: string) => /^\s*([-*]|\d+\.) /.test(line) || TAG.test(line)
const isIndentedCode = (line: string, block: string[]) => block.length === 0 && /^ {4}/.test(line) && !startsItem(line)

export function wrap(text: string, width = WIDTH): string {
  const lines: string[] = []
  let block: string[] = []
  let isCode = false
  const flush = () => {
    lines.push(...wrapBlock(block, width))
    block = []
  }
  for (const line of text.split('\n')) {
    const isFence = /^\s*(```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    const isText = !isCode && !isFence && line.trim() !== '' && !OTHER.test(line) && !isIndentedCode(line, block)
    if (!isText || startsItem(line)) flush()
    if (isText) block.push(line)
    else lines.push(line)
  }
  flush()
  return lines.join('\n')
}

function wrapBlock(block: string[], width: number): string[] {
  // A line that ends with two spaces or a backslash is broken on purpose.
  if (block.every((line) => line.length <= width) || block.some((line) => / {2}$|\\$/.test(line))) return block
  const first = TEXT.exec(block[0] ?? '')?.groups?.first ?? ''
  const indent = ' '.repeat(TAG.test(block[0] ?? '') ? 2 : first.length)
  const words =
    block
      .join('\n')
      .slice(first.length)
      .replaceAll(/\s*\n\s*/g, ' ')
      .match(WORD) ?? []
  const lines = [first.trimEnd()]
  for (const word of words) {
    const line = lines.at(-1) ?? ''
    const isFirst = line.trim() === first.trim() && lines.length === 1
    const joined = isFirst ? `${lines.length === 1 ? first : indent}${word}` : `${line} ${word}`
    if (joined.length <= width || isFirst || MARKER.test(word)) lines[lines.length - 1] = joined
    else lines.push(`${indent}${word}`)
  }
  return lines
}

if (import.meta.main) rewriteFiles(['*.md'], (_, text) => wrap(text), `lines of more than ${WIDTH} characters`)
