/**
 * Puts markers around the conditions of the SQL in a TypeScript file. Markers are comments, which PostgreSQL ignores.
 */
import { parseSync, Visitor } from 'vite'
import { type Condition, findConditions } from './find-conditions.ts'

export interface Mutant {
  id: number
  /** The file, what is removed, and the position among those of the file with this text. */
  name: string
  /** `services/jobs`. */
  service: string
  kind: 'condition' | 'bound'
  /** Path from the root of the repository. */
  file: string
  line: number
  /** What is taken away. */
  removed: string
  /** Replaces the text of each marker. */
  texts: string[]
}

/** A text without one of these words is no SQL. */
const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|AND|OR|EXISTS|CONFLICT|JOIN|GREATEST|LEAST)\b/

interface Source {
  service: string
  path: string
  source: string
  /** The id of the first mutant. */
  firstId: number
  isTried(mutant: Pick<Mutant, 'name' | 'removed'>): boolean
}

/** @returns the file with markers. Lines keep their numbers. */
export function markStatements({ service, path: file, source, firstId, isTried }: Source): {
  marked: string
  mutants: Mutant[]
} {
  const mutants: Mutant[] = []
  const markers: [at: number, marker: string][] = []
  const seen = new Map<string, number>()
  for (const [start, end] of findTexts(file, source)) {
    for (const condition of findConditions(source.slice(start, end))) {
      const id = firstId + mutants.length
      const line = source.slice(0, start + condition.start).split('\n').length
      const removed = describe(source.slice(start + condition.start, start + condition.end), condition)
      const count = (seen.get(removed) ?? 0) + 1
      seen.set(removed, count)
      const name = `${file} ${removed} ${count}`
      if (!isTried({ name, removed })) continue
      const kind = condition.isBound ? 'bound' : 'condition'
      mutants.push({ id, name, service, kind, file, line, removed, texts: condition.edits.map(({ text }) => text) })
      for (const [n, edit] of condition.edits.entries()) {
        const [begin, finish] = [`/*{${id}.${n}*/`, `/*${id}.${n}}*/`]
        if (edit.start === edit.end) markers.push([start + edit.start, begin + finish])
        else markers.push([start + edit.start, begin], [start + edit.end, finish])
      }
    }
  }
  return { marked: insert(source, markers), mutants }
}

/** @returns start and end of each template and string that can contain SQL. */
export function findTexts(file: string, source: string): [start: number, end: number][] {
  const texts: [start: number, end: number][] = []
  const add = ({ start, end }: { start: number; end: number }) => {
    if (SQL.test(source.slice(start, end))) texts.push([start + 1, end - 1])
  }
  const { program } = parseSync(file, source)
  new Visitor({
    TemplateLiteral: add,
    Literal: (node) => typeof node.value === 'string' && add(node),
  }).visit(program)
  return texts
}

function describe(removed: string, { edits: [first, ...others] }: Condition): string {
  const line = removed.replace(/\s+/g, ' ').trim()
  if (others.some(({ text }) => text.includes('FALSE)'))) return `${line} (never true)`
  return first?.text && others.length === 0 ? `${line}, now ${first.text}` : line
}

function insert(source: string, markers: [at: number, marker: string][]): string {
  let marked = ''
  let position = 0
  for (const [at, marker] of markers.toSorted(([a], [b]) => a - b)) {
    marked += source.slice(position, at) + marker
    position = at
  }
  return marked + source.slice(position)
}
