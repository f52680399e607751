/**
 * Wraps comments of TypeScript at 120 characters; `npm run format` calls it with `--write`. Without, as one of
 * `npm run check`, fails for a comment with a longer line. Paragraphs without one stay as they are, and so do comments
 * behind code. The formatter wraps only code.
 */
import ts from 'typescript'
import { rewriteFiles } from './files.ts'
import { WIDTH, wrap } from './wrap-markdown.ts'

const FILES = ['*.ts', '*.tsx', '*.mts', '*.mjs', ':!:**/gen/**']
/** Comments that programs read. */
const DIRECTIVE = /^\/\/ (?:biome-ignore|@ts-|#)|^\/\/\/|^\/\*\*? (?:@ts-|@vitest-)/

const INNER_TAG = / (?=@(?:param|returns|throws) )/g

interface Comment {
  start: number
  end: number
}

/** @returns the comments that are alone on their lines; those with slashes that follow each other are one. */
function findComments(file: string, text: string): Comment[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found = new Map<number, Comment>()
  const visit = (node: ts.Node) => {
    if (node.kind !== ts.SyntaxKind.JsxText)
      for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
        found.set(pos, { start: pos, end })
    for (const child of node.getChildren(source)) visit(child)
  }
  visit(source)
  const comments: Comment[] = []
  for (const comment of [...found.values()].toSorted((a, b) => a.start - b.start)) {
    if (!isAlone(text, comment) || DIRECTIVE.test(text.slice(comment.start, comment.end))) continue
    const before = comments.at(-1)
    if (before && isSlashed(text, before) && isSlashed(text, comment) && isNextLine(text, before, comment))
      before.end = comment.end
    else comments.push(comment)
  }
  return comments
}

const isSlashed = (text: string, { start }: Comment) => text.startsWith('//', start)

const isNextLine = (text: string, before: Comment, { start }: Comment) => /^\n *$/.test(text.slice(before.end, start))

const isAlone = (text: string, { start, end }: Comment) =>
  /(?:^|\n) *$/.test(text.slice(Math.max(0, text.lastIndexOf('\n', start - 1)), start)) &&
  /^(?:\n|$)/.test(text.slice(end, end + 1))

function wrapComments(file: string, text: string): string {
  let wrapped = text
  for (const { start, end } of findComments(file, text).toReversed()) {
    const indent = start - (text.lastIndexOf('\n', start - 1) + 1)
    const lines = text.slice(start, end).split('\n')
    if (lines.every((line, n) => line.length + (n === 0 ? indent : 0) <= WIDTH)) continue
    const margin = ' '.repeat(indent)
    const written = isSlashed(text, { start, end }) ? wrapSlashed(lines, margin) : wrapStarred(lines, margin)
    wrapped = wrapped.slice(0, start) + written.join(`\n${margin}`) + wrapped.slice(end)
  }
  return wrapped
}

const wrapSlashed = (lines: string[], margin: string) =>
  wrapText(lines.map((line) => line.trim().replace(/^\/\/ ?/, '')).join('\n'), margin).map((line) => `// ${line}`)

function wrapStarred(lines: string[], margin: string): string[] {
  const [, opening = ''] = /^(\/\*\*?)/.exec(lines[0] ?? '') ?? []
  const text = lines
    .join('\n')
    .slice(opening.length, -'*/'.length)
    .split('\n')
    .map((line) => line.trim().replace(/^\* ?/, ''))
    .join('\n')
    .trim()
  // A tag begins a line, and the first one follows an empty line.
  const separated = lines.length === 1 ? text.replaceAll(INNER_TAG, '\n').replace(/^(?!@)(.*)\n/, '$1\n\n') : text
  return [opening, ...wrapText(separated, margin).map((line) => ` * ${line}`.trimEnd()), ' */']
}

/** The stars or slashes have three characters. */
const wrapText = (text: string, margin: string) => wrap(text, WIDTH - margin.length - 3).split('\n')

if (import.meta.main)
  rewriteFiles(
    FILES,
    // Most files have no long line, and need not be parsed.
    (file, text) => (text.split('\n').every((line) => line.length <= WIDTH) ? text : wrapComments(file, text)),
    `comments of more than ${WIDTH} characters`,
  )
